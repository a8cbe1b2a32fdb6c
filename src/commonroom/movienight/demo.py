"""A family of four with a year of movie nights, for the demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import Ceiling, User
from commonroom.errors import Conflict, NotFound
from commonroom.movienight.rules.rounds import Liked, VotedFor
from commonroom.movienight.service import members, preferences, watched, wishes
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.members import add_membership, set_household
from commonroom.movienight.service.rounds import lifecycle, picks, votes
from commonroom.movienight.service.rounds.queries import RoundDetails, load_round
from commonroom.movienight.tables import Round
from commonroom.store import Store
from commonroom.titles.builtin import Catalogue
from commonroom.titles.films import FilmFilter, FilmSource
from commonroom.titles.genres import GENRES

HOUR, DAY = 3600.0, 24 * 3600.0
NIGHTS = 36
DAYS_BETWEEN = 10
WISHES = 5

ACTION, ADVENTURE, ANIMATION, COMEDY, DRAMA = "28", "12", "16", "35", "18"
FAMILY, FANTASY, HORROR, MUSIC, ROMANCE, SCIENCE_FICTION = (
    "10751", "14", "27", "10402", "10749", "878",
)  # fmt: skip


class Tastes(Struct, frozen=True):
    """What a member of the family likes."""

    likes: tuple[str, ...]
    dislikes: tuple[str, ...]
    ceiling: Ceiling


PARENTS = (
    Tastes((COMEDY, DRAMA, ADVENTURE, MUSIC), (HORROR,), "R"),
    Tastes((SCIENCE_FICTION, ACTION, ADVENTURE), (HORROR, ROMANCE), "R"),
)
CHILDREN = (
    Tastes((ANIMATION, FANTASY, ADVENTURE), (HORROR, ROMANCE), "PG"),
    Tastes((ANIMATION, FAMILY, COMEDY), (HORROR, ROMANCE), "G"),
)


async def seed_demo(store: Store, now: float, people: DemoPeople) -> None:
    """Lets the family live here for a year, with the films that come along."""
    family = DemoFamily(people.maya, people.jonas, people.children)
    await DemoYear(store, Catalogue(), family).year(now)


class DemoFamily(Struct, frozen=True):
    """The people of the household."""

    maya: User
    jonas: User
    children: Sequence[User]

    @property
    def everybody(self) -> list[User]:
        """All four, the parents first."""
        return [self.maya, self.jonas, *self.children]


class DemoYear:
    """Lives through the family's year, always in the same way."""

    def __init__(self, store: Store, films: FilmSource, family: DemoFamily) -> None:
        self._store = store
        self._films = films
        self._family = family
        self._chance = Random(7)  # noqa: S311 - the same year every time

    async def year(self, now: float) -> None:
        """A household, a film every ten days, and one night that is being voted on."""
        began = now - NIGHTS * DAYS_BETWEEN * DAY
        await self._move_in(began)
        for night in range(NIGHTS):
            at = began + (night * DAYS_BETWEEN + 1) * DAY
            await self._night(at, everybody=night % 3 != 2, rated=night < NIGHTS - 1)
        await self._wish(now - 2 * DAY)
        await self._tonight(now - 2 * HOUR)

    async def _move_in(self, at: float) -> None:
        store, family = self._store, self._family
        await create_household(
            Context(store, family.maya, at),
            name="Chestnut Road",
            services=["netflix", "disney_plus"],
        )
        creator = await self._context(family.maya, at + 2 * HOUR)
        # The invite that he came by has run out long ago.
        ctx = add_membership(at + HOUR, creator.group_id, family.jonas)
        await store.write(set_household(family.jonas, creator.group_id), *ctx)
        for child in family.children:
            await members.bring_along(creator, child.user_id)
        for member, tastes in zip(family.everybody, (*PARENTS, *CHILDREN), strict=True):
            await preferences.set_preferences(
                await self._context(member, at + 3 * HOUR),
                member.user_id,
                likes=tastes.likes,
                dislikes=tastes.dislikes,
                ceiling=tastes.ceiling,
            )

    async def _night(self, at: float, *, everybody: bool, rated: bool) -> None:
        """One evening from the shortlist to how it was."""
        attending = self._family.everybody if everybody else [self._family.maya, self._family.jonas]
        round_ = await self._voted(at, attending, attending)
        round_id, maya = round_.round_id, self._family.maya
        ahead = (await self._details(round_, at)).results[0].tmdb_movie_id
        await picks.pick(await self._context(maya, at + HOUR), round_id, ahead)
        await watched.mark_round_watched(await self._context(maya, at + 4 * HOUR), round_id)
        for member in attending if rated else attending[:1]:
            await votes.rate(await self._context(member, at + 5 * HOUR), round_id, self._liked())

    async def _tonight(self, at: float) -> None:
        """A night that is being voted on: Maya and Lea have, Jonas and Finn have not."""
        family = self._family
        await self._voted(at, family.everybody, [family.maya, family.children[0]], wishes=True)

    async def _voted(
        self, at: float, attending: Sequence[User], voters: Sequence[User], *, wishes: bool = False
    ) -> Round:
        maya = self._family.maya
        starter = await self._context(maya, at)
        ids = [one.user_id for one in attending]
        round_ = await lifecycle.create_round(starter, self._films, attendees=ids, wishes=wishes)
        await lifecycle.start_voting(await self._context(maya, at + 60), round_.round_id)
        details = await self._details(round_, at)
        for voter in voters:
            ctx = await self._context(voter, at + 600)
            for film in details.films:
                number, thumb = film.film.tmdb_movie_id, self._thumb(voter, film.film.genres)
                await votes.vote(ctx, round_.round_id, number, thumb)
        return round_

    async def _wish(self, at: float) -> None:
        """What a member wants to see that nobody has seen yet."""
        found = await self._films.discover(FilmFilter(ceiling="PG", since=1960))
        wished = 0
        for number, film in enumerate(found[NIGHTS:]):
            ctx = await self._context(self._family.everybody[number % 4], at + number)
            try:
                await wishes.add_wish(ctx, self._films, film.tmdb_movie_id)
            except Conflict:
                continue  # they have seen it
            wished += 1
            if wished == WISHES:
                return

    async def _details(self, round_: Round, at: float) -> RoundDetails:
        return await load_round(await self._context(self._family.maya, at), round_.round_id)

    async def _context(self, member: User, at: float) -> HouseholdContext:
        """Returns a person's household context at a moment; the children use their mother's."""
        found = [await self._store.get(one.ref) for one in (self._family.maya, member)]
        parent, now_known = (one for one in found if one is not None)
        person = parent if now_known.is_managed else now_known
        ctx = await find_household_context(Context(self._store, person, at), now_known)
        if ctx is None:
            raise NotFound("The demonstration’s household is gone.")
        return ctx

    def _thumb(self, voter: User, genres: Sequence[str]) -> VotedFor:
        tastes = (*PARENTS, *CHILDREN)[self._family.everybody.index(voter)]
        liked = any(GENRES[genre] in genres for genre in tastes.likes)
        return "up" if self._chance.random() < (0.8 if liked else 0.35) else "down"

    def _liked(self) -> Liked:
        return self._chance.choices(("loved", "liked", "did_not_like"), (4, 4, 1))[0]
