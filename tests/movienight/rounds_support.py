"""Evenings for the tests of rounds: a household, a shelf of films, and what people do in a row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from commonroom.accounts.tables import Ceiling, User
from commonroom.movienight.rules.preferences import passes
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.preferences import set_preferences
from commonroom.movienight.service.rounds.lifecycle import create_round, start_voting
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.votes import rate
from commonroom.movienight.service.watched import mark_round_watched
from commonroom.movienight.service.wishes import add_wish
from commonroom.movienight.tables import (
    Household,
    Pick,
    Round,
    Suggestion,
    Vote,
    suggestions_of_round,
    votes_of_round,
)
from commonroom.store import Store, update
from commonroom.store.values import Item
from commonroom.titles.films import CERTIFICATIONS, Film, FilmFilter
from tests.accounts.people import Watch
from tests.movienight.evenings import COMEDY, DRAMA, HORROR, context_of, now_of
from tests.support.context import at

ROMANCE = "10749"
GENRES = (COMEDY, DRAMA, HORROR, ROMANCE)
LARGE = 40


def film(tmdb_movie_id: int, **facts: Any) -> Film:
    """A well-known comedy that anybody may see, unless told otherwise."""
    known: dict[str, Any] = {
        "title": f"Film {tmdb_movie_id}",
        "year": 2000,
        "genres": (COMEDY,),
        "certification": "G",
        "popularity": 1000.0 - tmdb_movie_id,
        "vote_count": 500,
        "runtime": 100,
        "overview": "Something happens.",
    }
    return Film(tmdb_id=tmdb_movie_id, **known | facts)


def shelf_of_all_kinds() -> list[Film]:
    """Films of all genres and certifications, unknown ones too."""
    certifications = [*CERTIFICATIONS, None]
    return [
        film(
            number,
            genres=(GENRES[number % len(GENRES)], GENRES[number // 7 % len(GENRES)]),
            certification=certifications[number % len(certifications)],
        )
        for number in range(1, LARGE + 1)
    ]


class Shelf:
    """A film source that knows a few films; a careless one gives what was not asked for, too."""

    knows_services = True

    def __init__(self, films: Sequence[Film], *, careless: bool = False) -> None:
        self.films = {one.tmdb_movie_id: one for one in films}
        self.asked: list[FilmFilter] = []
        self._careless = careless

    async def discover(self, wanted: FilmFilter, without: Collection[int] = ()) -> list[Film]:
        self.asked.append(wanted)
        fitting = [
            one
            for one in self.films.values()
            if self._careless or (one.tmdb_movie_id not in without and fits(one, wanted))
        ]
        return sorted(fitting, key=lambda one: (-one.popularity, one.tmdb_movie_id))[:200]

    async def film(self, tmdb_movie_id: int) -> Film | None:
        return self.films.get(tmdb_movie_id)

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        return [one for one in self.films.values() if text in one.title][:limit]

    async def close(self) -> None:
        self.films.clear()


def fits(one: Film, wanted: FilmFilter) -> bool:
    """Whether a film is one of those that are wanted."""
    return (
        (not wanted.genres or not wanted.genres.isdisjoint(one.genres))
        and wanted.without_genres.isdisjoint(one.genres)
        and (wanted.ceiling == "NC-17" or passes(one.certification, wanted.ceiling))
        and (one.vote_count is None or one.vote_count >= wanted.votes)
        and (one.year or 0) >= wanted.since
    )


class Evening:
    """A household in which things are done one after the other, a minute apart."""

    def __init__(self, store: Store, clock: Watch, films: Shelf) -> None:
        self.store, self.clock, self.films = store, clock, films

    def now(self) -> float:
        """The time, a minute after it was last asked for."""
        self.clock.forward(60)
        return self.clock()

    async def ctx(self, person: User, acting_as: User | None = None) -> HouseholdContext:
        """The seat of somebody who asks now."""
        return await context_of(self.store, person, acting_as)

    async def likes(
        self,
        person: User,
        member: User | None = None,
        *,
        likes: Sequence[str] = (COMEDY, DRAMA),
        dislikes: Sequence[str] = (),
        ceiling: Ceiling = "R",
    ) -> None:
        """Somebody says what they like, or what their child does."""
        ctx = await self.ctx(person)
        member_id = (member or person).user_id
        await set_preferences(
            at(self.store, self.now(), ctx),
            member_id,
            likes=likes,
            dislikes=dislikes,
            ceiling=ceiling,
        )

    async def draft(self, person: User, **options: Any) -> Round:
        """A round that somebody has begun."""
        ctx = await self.ctx(person, options.pop("acting_as", None))
        return await create_round(at(self.store, self.now(), ctx), self.films, **options)

    async def voting(self, person: User, **options: Any) -> Round:
        """A round that is being voted on."""
        made = await self.draft(person, **options)
        await start_voting(at(self.store, self.now(), await self.ctx(person)), made.round_id)
        return await self.again(made)

    async def selected(self, person: User, **options: Any) -> Round:
        """A round in which the first film is picked."""
        made = await self.voting(person, **options)
        first = (await self.suggestions(made))[0].tmdb_movie_id
        await pick(at(self.store, self.now(), await self.ctx(person)), made.round_id, first)
        return await self.again(made)

    async def watched(self, person: User, **options: Any) -> Round:
        """A round whose pick was watched."""
        made = await self.selected(person, **options)
        await mark_round_watched(at(self.store, self.now(), await self.ctx(person)), made.round_id)
        return await self.again(made)

    async def rated(self, person: User, **options: Any) -> Round:
        """A round of one's own that is over."""
        made = await self.watched(person, attendees=[person.user_id], **options)
        await rate(at(self.store, self.now(), await self.ctx(person)), made.round_id, "loved")
        return await self.again(made)

    async def expired(self, person: User, **options: Any) -> Round:
        """A round that came to nothing."""
        made = await self.draft(person, **options)
        gone = update(made.ref, status="expired")
        await self.store.write(
            gone, update(Household.at(group_id=made.group_id), open_round_id=None)
        )
        return await self.again(made)

    async def in_state(self, status: str, person: User) -> Round:
        """A round in a state."""
        made: Round = await getattr(self, status)(person)
        return made

    async def again(self, round_: Round) -> Round:
        """A round as it is now."""
        return await now_of(self.store, round_)

    async def suggestions(self, round_: Round) -> list[Suggestion]:
        """The films of a round in the order in which they are shown."""
        page = await self.store.page(suggestions_of_round(round_id=round_.round_id))
        return sorted(page.items, key=lambda one: one.position)

    async def numbers(self, round_: Round) -> list[int]:
        """Which films these are."""
        return [one.tmdb_movie_id for one in await self.suggestions(round_)]

    async def wish(self, person: User, *numbers: int) -> None:
        """Somebody wishes for films, one after the other."""
        ctx = await self.ctx(person)
        for number in numbers:
            await add_wish(at(self.store, self.now(), ctx), self.films, number)

    async def votes(self, round_: Round) -> list[Vote]:
        """The votes of a round."""
        return (await self.store.page(votes_of_round(round_id=round_.round_id))).items

    async def pick_of(self, round_: Round) -> Pick | None:
        """The pick of a round."""
        pick_id = (await self.again(round_)).pick_id
        return None if pick_id is None else await self.store.get(Pick.at(pick_id=pick_id))

    async def open_round_id(self, group: Household) -> str | None:
        """The round that the household calls open."""
        return (await now_of(self.store, group)).open_round_id

    async def snapshot(self) -> list[Item]:
        """Everything that is stored of rounds, to see that nothing changed."""
        kinds = (Round, Suggestion, Vote, Pick, Household)
        tables = [kind.schema.table for kind in kinds]
        return [
            item
            for table in tables
            for item in (await self.store.engine.scan(table, limit=1000)).items
        ]
