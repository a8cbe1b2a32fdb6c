"""The states of a round, who may do what in them, and how votes count."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.moments import iso
from commonroom.movienight.rules.rounds import (
    MAX_PROPOSALS,
    MAX_PROPOSALS_EACH,
    PICKED,
    STATUSES,
    UNDO_SECONDS,
    RatingSummary,
    VoteCount,
    VotingProgress,
    all_have_rated,
    attendees_of,
    attends,
    can_be_undone,
    possible_steps,
    progress,
    proposals_left,
    rank_results,
    status_of,
    statuses_read_as,
    steers,
    summarise,
    untouched_from,
    visible_votes,
    with_current_status,
)
from commonroom.movienight.tables import Round, WatchedFilm
from tests.support.clocks import SET_BACK

NOW = 2_000_000_000.0
WEEK = 7 * 86400
CREATOR, STARTER, WATCHER, OTHER = "creator", "starter", "watcher", "other"

STEPS: dict[str, dict[str, set[str]]] = {
    "draft": {
        STARTER: {"shuffle", "start", "abandon", "attendees"},
        CREATOR: {"shuffle", "start", "abandon", "attendees"},
        WATCHER: {"attendees"},
        OTHER: {"attendees"},
    },
    "voting": {
        STARTER: {"vote", "propose", "pick", "abandon", "attendees"},
        CREATOR: {"pick", "abandon", "attendees"},
        WATCHER: {"vote", "propose", "attendees"},
        OTHER: {"attendees"},
    },
    "selected": {
        STARTER: {"rate", "watched", "reopen"},
        CREATOR: {"watched", "reopen"},
        WATCHER: {"rate", "watched"},
        OTHER: {"watched"},
    },
    "watched": {STARTER: {"rate"}, WATCHER: {"rate"}},
    "rated": {STARTER: {"rate"}, WATCHER: {"rate"}},
    "expired": {},
}
STEPS["closed"] = STEPS["voting"]

counted = st.builds(
    VoteCount,
    tmdb_movie_id=st.integers(1, 10**6),
    popularity=st.floats(0, 10),
    up=st.integers(0, 3),
    down=st.integers(0, 3),
)
shortlists = st.lists(counted, max_size=12, unique_by=lambda film: film.tmdb_movie_id)


def a_round(status: Any = "voting", **fields: Any) -> Round:
    """A round that two of four take part in."""
    given: dict[str, Any] = {"attendees": [STARTER, WATCHER], "updated_at": iso(NOW), **fields}
    return Round(
        round_id="r", group_id="g", started_by=STARTER, status=status, created_at=iso(NOW), **given
    )


class TestStatus:
    @pytest.mark.parametrize(
        "written, read", [("picked", "selected"), ("closed", "voting"), ("discarded", "expired")]
    )
    def test_of_earlier_versions_counts_as_what_it_has_become(
        self, written: str, read: Any
    ) -> None:
        assert status_of(a_round(written)) == read
        assert with_current_status(a_round(written)) == a_round(read)
        assert statuses_read_as(read) == (read, written)

    @pytest.mark.parametrize("status", STATUSES)
    def test_of_today_is_itself(self, status: Any) -> None:
        assert status_of(a_round(status)) == status

    def test_names_all_stored_values_of_several_states(self) -> None:
        assert set(statuses_read_as("draft", "voting")) == {"draft", "voting", "closed"}


class TestAttendees:
    def test_are_all_members_where_a_round_names_none(self) -> None:
        early = a_round(attendees=None)

        assert attendees_of(early, ["a", "b"]) == ["a", "b"]
        assert attends("a", early)

    def test_are_those_it_names(self) -> None:
        assert attendees_of(a_round(), ["a", "b"]) == [STARTER, WATCHER]
        assert [attends(one, a_round()) for one in (WATCHER, OTHER)] == [True, False]


class TestResults:
    def test_put_the_film_with_the_most_votes_first(self) -> None:
        found = rank_results([VoteCount(1, 5, 1, 1), VoteCount(2, 1, 3, 0), VoteCount(3, 9, 0, 2)])

        assert [(one.tmdb_movie_id, one.net, one.rank) for one in found] == [
            (2, 3, 1),
            (1, 0, 2),
            (3, -2, 3),
        ]
        assert not any(one.tied for one in found)

    def test_share_a_rank_where_films_have_equal_votes_the_more_popular_first(self) -> None:
        found = rank_results([VoteCount(1, 5, 1, 0), VoteCount(2, 8, 2, 1), VoteCount(3, 9, 0, 0)])

        assert [(one.tmdb_movie_id, one.rank, one.tied) for one in found] == [
            (2, 1, True),
            (1, 1, True),
            (3, 3, False),
        ]

    @given(shortlists, st.randoms(use_true_random=False))
    def test_are_the_same_whatever_order_films_come_in(
        self, films: list[VoteCount], chance: Any
    ) -> None:
        shuffled = list(films)
        chance.shuffle(shuffled)

        assert rank_results(shuffled) == rank_results(films)

    @given(shortlists)
    def test_rank_each_film_after_those_with_more_votes_and_no_others(
        self, films: list[VoteCount]
    ) -> None:
        found = {one.tmdb_movie_id: one for one in rank_results(films)}

        assert found.keys() == {film.tmdb_movie_id for film in films}
        for film in films:
            better = sum(other.net > film.net for other in films)
            equal = sum(other.net == film.net for other in films)
            assert found[film.tmdb_movie_id].rank == better + 1
            assert found[film.tmdb_movie_id].tied is (equal > 1)


class TestProgress:
    def test_counts_each_attendee_who_voted_once(self) -> None:
        assert progress(["a", "a", "b", "gone"], ["a", "b", "c"]) == VotingProgress(2, 3)

    def test_of_nobody_is_nothing(self) -> None:
        assert progress([], []) == VotingProgress(0, 0)


class TestVisibleVotes:
    VOTES: ClassVar[dict[str, Any]] = {STARTER: "up", WATCHER: "down"}

    @pytest.mark.parametrize("status", STATUSES)
    def test_are_ones_own_until_the_pick_where_votes_are_secret(self, status: Any) -> None:
        seen = visible_votes(a_round(status), self.VOTES, WATCHER)

        assert seen == (self.VOTES if status in PICKED else {WATCHER: "down"})
        assert (visible_votes(a_round(status), self.VOTES, OTHER) == {}) is (status not in PICKED)

    @pytest.mark.parametrize("status", STATUSES)
    def test_are_everybodys_where_votes_are_open(self, status: Any) -> None:
        assert visible_votes(a_round(status, votes_are_open=True), self.VOTES, OTHER) == self.VOTES


class TestRatings:
    def test_are_complete_when_nobody_who_takes_part_is_missing(self) -> None:
        assert all_have_rated({"a", "b", "gone"}, ["a", "b"])
        assert not all_have_rated({"a"}, ["a", "b"])
        assert not all_have_rated({"gone"}, [])

    def test_are_summed_up_without_names(self) -> None:
        rated = {"a": "loved", "b": "did_not_like", "c": "loved"}

        assert summarise(rated) == RatingSummary(loved=2, liked=0, did_not_like=1)


class TestProposals:
    def test_are_two_for_each_and_four_for_all(self) -> None:
        assert proposals_left("a", a_round()) == MAX_PROPOSALS_EACH == 2
        assert proposals_left("a", a_round(proposals={"a": 1, "b": 2})) == 1
        assert proposals_left("a", a_round(proposals={"a": 2})) == 0
        assert proposals_left("a", a_round(proposals={"b": 2, "c": 2})) == 0
        assert MAX_PROPOSALS == 4


class TestUntouched:
    def test_counts_from_what_happened_last(self) -> None:
        assert untouched_from(a_round(updated_at=iso(NOW - 60))) == NOW - 60 + WEEK

    def test_counts_from_the_beginning_where_an_earlier_version_did_not_say(self) -> None:
        early = Round(round_id="r", group_id="g", started_by="a", created_at="2033-05-18T03:33:20")

        assert untouched_from(early) == NOW + WEEK


class TestPossible:
    @pytest.mark.parametrize("who", [STARTER, CREATOR, WATCHER, OTHER])
    @pytest.mark.parametrize("status", STEPS)
    def test_is_what_the_state_and_the_member_allow(self, status: str, who: str) -> None:
        assert possible_steps(a_round(status), who, CREATOR, NOW) == STEPS[status].get(who, set())

    def test_no_longer_holds_proposing_when_enough_was_proposed(self) -> None:
        enough = a_round(proposals={WATCHER: 2})

        assert "propose" not in possible_steps(enough, WATCHER, CREATOR, NOW)
        assert "propose" in possible_steps(enough, STARTER, CREATOR, NOW)

    @pytest.mark.parametrize("status", STATUSES)
    def test_holds_undoing_for_a_day_for_whoever_said_watched_and_the_creator(
        self, status: Any
    ) -> None:
        lately = a_round(status, watched_by=WATCHER, watched_at=iso(NOW - UNDO_SECONDS))
        before = a_round(status, watched_by=WATCHER, watched_at=iso(NOW - UNDO_SECONDS - 1))

        for who in (WATCHER, CREATOR):
            assert ("undo_watched" in possible_steps(lately, who, CREATOR, NOW)) is (
                status in ("watched", "rated")
            )
            assert "undo_watched" not in possible_steps(before, who, CREATOR, NOW)
        assert "undo_watched" not in possible_steps(lately, STARTER, CREATOR, NOW)

    @pytest.mark.parametrize("ahead", SET_BACK)
    def test_has_no_undoing_after_a_clock_that_was_ahead_is_set_back(self, ahead: float) -> None:
        at = iso(NOW + ahead)
        watched = a_round("watched", watched_by=WATCHER, watched_at=at)
        film = WatchedFilm(
            group_id="g", tmdb_movie_id=1, title="Heat", watched_at=at, marked_by="w", marked_at=at
        )

        assert "undo_watched" not in possible_steps(watched, WATCHER, CREATOR, NOW)
        assert not can_be_undone(film, NOW)

    def test_steering_is_for_whoever_started_it_and_the_creator(self) -> None:
        steering = [one for one in (STARTER, CREATOR, WATCHER) if steers(one, a_round(), CREATOR)]

        assert steering == [STARTER, CREATOR]
