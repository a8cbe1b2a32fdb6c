"""What movie night says, code by code."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonroom.http.words import speaking
from commonroom.movienight import words
from commonroom.movienight.notifications import NEW_ROUND, PICK_ANNOUNCE
from commonroom.movienight.rules.rounds import STATUSES, VoteCount, rank_results
from tests.support.catalogues import spoken_too


def counted(number: int, up: int, down: int) -> VoteCount:
    return VoteCount(number, 100 - number, up, down)


class TestGenres:
    def test_are_translated_in_reasons(self, tmp_path: Path) -> None:
        french = {"Comedy": "Comédie", "Everyone likes %(genre)s": "Tout le monde aime : %(genre)s"}
        with spoken_too(tmp_path, "fr", french), speaking("fr"):
            assert words.reason("everyone_likes#35") == "Tout le monde aime : comédie"


class TestReasons:
    @pytest.mark.parametrize(
        "code,text",
        [
            ("everyone_likes#35", "Everyone likes comedy"),
            ("everyone_likes#878", "Everyone likes science fiction"),
            ("everyone_likes#10770", "Everyone likes TV movie"),
            ("liked#18", "For those who like drama"),
            ("on#disney_plus", "On Disney+"),
            ("on#a_service_of_later", "On a_service_of_later"),
            ("highly_rated", "Highly rated"),
            ("well_known", "Well known"),
            ("wished", "From the wish list"),
            ("proposed", None),
            ("a_reason_of_later#1", None),
        ],
    )
    def test_are_put_into_words(self, code: str, text: str | None) -> None:
        assert words.reason(code) == text


class TestWhatWasGivenUp:
    @pytest.mark.parametrize(
        "codes,text",
        [
            ([], None),
            (["something_of_later"], None),
            (["genres"], "in other genres."),
            (
                ["genres", "votes"],
                "in other genres and for lesser-known films.",
            ),
        ],
    )
    def test_is_put_into_words(self, codes: list[str], text: str | None) -> None:
        told = words.relaxed(codes)
        assert (told is None) if text is None else (told or "").endswith(f"also looked {text}")


class TestHowAVoteStands:
    TITLES = {1: "Up", 2: "Coco", 3: "Soul"}  # noqa: RUF012 - read only

    @pytest.mark.parametrize(
        "votes,text",
        [
            (((0, 0), (0, 0), (0, 0)), "No votes yet."),
            (((2, 0), (1, 0), (0, 1)), "Up is ahead."),
            (((0, 0), (3, 1), (2, 1)), "Coco is ahead."),
            (((2, 0), (2, 0), (0, 1)), "It’s a tie: Up and Coco."),
            (((1, 0), (1, 0), (1, 0)), "It’s a tie: Up, Coco and Soul."),
            (((0, 1), (1, 1), (0, 2)), "No film has more votes for it than against it."),
        ],
    )
    def test_is_put_into_words(self, votes: tuple[tuple[int, int], ...], text: str) -> None:
        films = [counted(number, *one) for number, one in enumerate(votes, start=1)]
        assert words.standing(rank_results(films), self.TITLES) == text


class TestProgress:
    @pytest.mark.parametrize(
        "voted,attendees,text",
        [
            (0, 3, "No votes yet."),
            (2, 3, "2 of 3 have voted."),
            (3, 3, "Everyone has voted."),
        ],
    )
    def test_is_put_into_words(self, voted: int, attendees: int, text: str) -> None:
        assert words.progress(voted, attendees) == text


class TestHowItWasLiked:
    def test_names_those_who_said_the_same_together(self) -> None:
        said = [("Ada", "loved"), ("Ben", "did_not_like"), ("Zoe", "loved"), ("Max", None)]
        assert (
            words.rated(said)  # type: ignore[arg-type] # ratings, as written above
            == "Ada and Zoe loved it. Ben did not like it. Not rated yet: Max."
        )


def test_every_state_has_a_name() -> None:
    assert tuple(words.STATES) == STATUSES


class TestTheDayOfAFilm:
    @pytest.mark.parametrize(
        "facts, vote, film",
        [
            ({}, "Vote for tonight’s film", "Tonight: Up"),
            ({"day": "tonight"}, "Vote for tonight’s film", "Tonight: Up"),
            ({"day": ""}, "Vote for the film", "The film: Up"),
            (
                {"day": "2026-11-20"},
                "Vote for the film for Friday, 20 November",
                "Friday, 20 November: Up",
            ),
        ],
    )
    def test_is_in_what_people_are_told_and_tonight_where_earlier_versions_told(
        self, facts: dict[str, str], vote: str, film: str
    ) -> None:
        known = {"who": "Ada", "household": "Home", "film": "Up", **facts}
        assert NEW_ROUND.words(known).title == vote
        assert PICK_ANNOUNCE.words(known).title == film
