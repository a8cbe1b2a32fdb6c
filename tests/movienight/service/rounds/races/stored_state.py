"""What must always be true of the rounds and films of a household, whatever people did."""

from __future__ import annotations

from collections import Counter
from typing import Self

from msgspec import Struct

from commonroom.accounts.tables import Ceiling
from commonroom.movienight.rules.preferences import passes
from commonroom.movienight.rules.rounds import (
    MAX_PROPOSALS,
    MAX_PROPOSALS_EACH,
    OPEN,
    PICKED,
    all_have_rated,
)
from commonroom.movienight.service.wishes import MAX_WISHES
from commonroom.movienight.tables import (
    Household,
    PendingPick,
    Pick,
    Round,
    RoundRating,
    Suggestion,
    Vote,
    WatchedFilm,
    Wish,
)
from commonroom.store.engine import Engine
from tests.movienight.evenings import everything_of
from tests.movienight.rounds_support import Evening


class Stored(Struct):
    """All that is stored of a household's rounds and films."""

    group: Household
    rounds: dict[str, Round]
    films: list[Suggestion]
    votes: list[Vote]
    picks: list[Pick]
    ratings: list[RoundRating]
    wishes: list[Wish]
    watched: list[WatchedFilm]
    pending: list[PendingPick]

    @classmethod
    async def of(cls, engine: Engine, group_id: str) -> Self:
        """What is stored of one household."""
        groups = [one for one in await everything_of(engine, Household) if one.group_id == group_id]
        rounds = [one for one in await everything_of(engine, Round) if one.group_id == group_id]
        ids = {one.round_id for one in rounds}
        return cls(
            groups[0],
            {one.round_id: one for one in rounds},
            [one for one in await everything_of(engine, Suggestion) if one.round_id in ids],
            [one for one in await everything_of(engine, Vote) if one.round_id in ids],
            [one for one in await everything_of(engine, Pick) if one.group_id == group_id],
            [one for one in await everything_of(engine, RoundRating) if one.round_id in ids],
            [one for one in await everything_of(engine, Wish) if one.group_id == group_id],
            [one for one in await everything_of(engine, WatchedFilm) if one.group_id == group_id],
            [one for one in await everything_of(engine, PendingPick) if one.group_id == group_id],
        )

    def check(self, ceilings: dict[str, Ceiling]) -> None:
        """Holds everything against each other; every member's ceiling is given."""
        self._check_open_round()
        self._check_picks()
        self._check_votes()
        self._check_films(ceilings)
        self._check_ratings()
        self._check_watched()

    def _check_open_round(self) -> None:
        open_ = [one.round_id for one in self.rounds.values() if one.status in OPEN]
        assert len(open_) <= 1, "never two open rounds"
        assert open_ == [one for one in [self.group.open_round_id] if one is not None]

    def _check_picks(self) -> None:
        picked = [one for one in self.rounds.values() if one.status in PICKED]
        assert sorted(one.pick_id or "" for one in picked) == sorted(
            one.pick_id for one in self.picks
        ), "one pick for each round that has one, and no other pick"
        assert all(one.pick_id is None for one in self.rounds.values() if one not in picked)
        here = {(one.round_id, one.tmdb_movie_id) for one in self.films}
        assert {(one.round_id, one.tmdb_movie_id) for one in self.picks} <= here

    def _check_votes(self) -> None:
        here = {(one.round_id, one.tmdb_movie_id) for one in self.films}
        for vote in self.votes:
            assert vote.member_id in (self.rounds[vote.round_id].attendees or ())
            assert (vote.round_id, vote.tmdb_movie_id) in here, "no vote without its film"
            assert self.rounds[vote.round_id].status != "draft"

    def _check_films(self, ceilings: dict[str, Ceiling]) -> None:
        shown = Counter(one.round_id for one in self.films)
        assert shown.keys() == self.rounds.keys(), "no round without films, no films without one"
        for film in self.films:
            for member in self.rounds[film.round_id].attendees or ():
                assert passes(film.content_rating, ceilings[member]), "nothing over a ceiling"
        for one in self.rounds.values():
            own = [film.proposed_by for film in self.films if film.round_id == one.round_id]
            proposed = Counter(who for who in own if who is not None)
            assert dict(proposed) == one.proposals
            assert max(proposed.values(), default=0) <= MAX_PROPOSALS_EACH
            assert proposed.total() <= MAX_PROPOSALS

    def _check_ratings(self) -> None:
        for one in self.rounds.values():
            own = {rated.member_id: rated.rating for rated in self.ratings if _is_of(rated, one)}
            assert own == one.rated
            assert own.keys() <= set(one.attendees or ()), "no rating by others"
            assert not own or one.status in PICKED
            if one.status in ("watched", "rated"):
                everybody = all_have_rated(own, one.attendees or ())
                assert (one.status == "rated") is everybody
                assert (one.rated_at is not None) is everybody

    def _check_watched(self) -> None:
        seen = {one.tmdb_movie_id: one for one in self.watched}
        waiting = {one.round_id: one for one in self.pending}
        for pick in self.picks:
            if pick.round_id in waiting:
                assert waiting[pick.round_id].tmdb_movie_id == pick.tmdb_movie_id
                assert not pick.watched, "what was watched no longer waits"
            assert pick.watched is (self.rounds[pick.round_id].status in ("watched", "rated"))
            assert not pick.watched or pick.tmdb_movie_id in seen, "one truth for “watched”"
        watched = {(one.round_id, one.tmdb_movie_id) for one in self.picks if one.watched}
        in_rounds = {(one.round_id, one.tmdb_movie_id) for one in self.watched if one.round_id}
        assert in_rounds <= watched
        assert waiting.keys() <= {one.round_id for one in self.picks}
        unwatched = {one.tmdb_movie_id for one in self.picks if not one.watched}
        waits = {one.tmdb_movie_id for one in self.pending}
        newest = {one.tmdb_movie_id for one in self.picks if one.watched and one.round_id}
        assert unwatched - newest <= waits, "a film's own page knows that it was picked"
        assert self.group.wish_count == len(self.wishes) <= MAX_WISHES
        assert seen.keys().isdisjoint(one.tmdb_movie_id for one in self.wishes)


def _is_of(rating: RoundRating, round_: Round) -> bool:
    return rating.round_id == round_.round_id


async def truth(evening: Evening, home: Household) -> Stored:
    """What is stored, once it is certain that all of it is true."""
    stored = await Stored.of(evening.store.engine, home.group_id)
    members = {one for round_ in stored.rounds.values() for one in round_.attendees or ()}
    ceilings: dict[str, Ceiling] = dict.fromkeys(members, "R")
    stored.check(ceilings)
    return stored
