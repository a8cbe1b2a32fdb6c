"""Pools: films that are named on shelves or lists, of which a round takes those that suit all."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from hashlib import blake2b

from msgspec import Struct

from commonroom.movienight.rules.preferences import Taste, passes
from commonroom.movienight.rules.suggestions import MAX_SUGGESTIONS, rank
from commonroom.movienight.service.household_context import Copies, FilmsFrom, HouseholdContext
from commonroom.movienight.tables import WatchedFilm
from commonroom.texts import collation_key
from commonroom.titles.builtin import known_title
from commonroom.titles.films import Film, FilmSource, NamedFilm
from commonroom.titles.titles import TitleId

MAX_CONSIDERED = 48
"""Of how many named films the facts are looked up, which may mean to ask TMDB for each."""
MAX_SOUGHT = 12
"""How many of them may be known by their title alone."""
BATCH = 8
MAX_FROM_LISTS = 2
"""How many films of a shortlist come from lists where they may come from anywhere."""
YEARS_APART = 1


class PooledFilm(Struct, frozen=True):
    """A film of a pool that all may see, and the list that names it."""

    film: Film
    list_id: str | None = None

    @property
    def number(self) -> int:
        """TMDB's."""
        return self.film.tmdb_movie_id


class Pool(Struct, frozen=True):
    """What suits everybody, the most suitable first; and who has it."""

    films: list[PooledFilm]
    copies: Copies


async def choose_from_pool(
    ctx: HouseholdContext, films: FilmSource, taste: Taste, left_out: Collection[int], of: FilmsFrom
) -> Pool:
    """Returns the best films of one's shelves, of those that are there now; or of lists.

    What shelves and lists cost, one request for what was watched, and one for copies.
    """
    named = await _names(ctx, of)
    found = await _fitting(ctx, films, named, taste, left_out, most=2 * MAX_SUGGESTIONS)
    copies = await ctx.sources.find_copies([one.film for one in found])
    if of == "shelves":
        found = [one for one in found if copies.get(one.number)]
    by_id = {one.number: one for one in found}
    best = rank_with_copies(ctx, [one.film for one in found], taste, copies)[:MAX_SUGGESTIONS]
    return Pool([by_id[film.tmdb_movie_id] for film in best], copies)


def rank_with_copies(
    ctx: HouseholdContext, films: Sequence[Film], taste: Taste, copies: Copies
) -> list[Film]:
    """Returns films by how well they suit, also by what is on a shelf now."""
    at_hand = {film for film, is_there in copies.items() if is_there}
    return rank(films, taste, ctx.group.streaming_services, at_hand)


async def choose_from_lists(
    ctx: HouseholdContext, films: FilmSource, taste: Taste, left_out: Collection[int]
) -> list[PooledFilm]:
    """Returns a few films of lists, to stand beside what the catalogue suggests."""
    named = await _names(ctx, "lists")
    return await _fitting(ctx, films, named, taste, left_out, most=MAX_FROM_LISTS)


async def _names(ctx: HouseholdContext, of: FilmsFrom) -> Sequence[NamedFilm]:
    if of == "shelves":
        return await ctx.sources.list_shelved()
    # Managed members have no lists.
    people = [one for one in ctx.group.member_ids if not one.startswith("managed_")]
    return await ctx.sources.list_listed(people)


async def _fitting(
    ctx: HouseholdContext,
    films: FilmSource,
    named: Sequence[NamedFilm],
    taste: Taste,
    left_out: Collection[int],
    *,
    most: int,
) -> list[PooledFilm]:
    """So many that all may see, that nobody rules out, and that the household has not watched."""
    wanted = [one for one in _mixed(ctx, named) if one.tmdb_id not in left_out]
    numbered = [one for one in wanted if one.tmdb_id is not None][:MAX_CONSIDERED]
    watched = await find_watched(ctx, [one.tmdb_id for one in numbered if one.tmdb_id])
    fresh = [one for one in numbered if one.tmdb_id not in watched]
    found = await _look_up_some(films, fresh, taste, most)
    if len(found) < most:
        unnumbered = [one for one in wanted if one.tmdb_id is None][:MAX_SOUGHT]
        sought = await _look_up_some(films, unnumbered, taste, most)
        never = {*left_out, *await find_watched(ctx, [one.number for one in sought])}
        found += [one for one in sought if one.number not in never]
    return list({one.number: one for one in found}.values())[:most]


async def _look_up_some(
    films: FilmSource, named: Sequence[NamedFilm], taste: Taste, most: int
) -> list[PooledFilm]:
    """Returns those that suit everybody, a few at once, until there are so many."""
    found: list[PooledFilm] = []
    for start in range(0, len(named), BATCH):
        some = named[start : start + BATCH]
        told = await asyncio.gather(*(_look_up(films, one) for one in some))
        found += [
            PooledFilm(film, one.list_id)
            for one, film in zip(some, told, strict=True)
            if film is not None
            and passes(film.certification, taste.ceiling)
            and taste.excluded.isdisjoint(film.genres)
        ]
        if len(found) >= most:
            break
    return found


def _mixed(ctx: HouseholdContext, named: Sequence[NamedFilm]) -> list[NamedFilm]:
    """Each once, in an order that is stable and has nothing to do with the alphabet.

    Those that come along with us are first: nobody needs to be asked for them.
    """
    once = {(one.tmdb_id, "" if one.tmdb_id else one.title): one for one in reversed(named)}
    salt = blake2b(ctx.group_id.encode(), digest_size=16).digest()

    def place(one: NamedFilm) -> tuple[bool, bytes]:
        name = str(one.tmdb_id or one.title)
        is_known = known_title(TitleId("MOVIE", name)) is not None
        mixed = blake2b(name.encode(errors="surrogatepass"), key=salt, digest_size=8)
        return not is_known, mixed.digest()

    return sorted(once.values(), key=place)


async def _look_up(films: FilmSource, named: NamedFilm) -> Film | None:
    """A film with all that is known of it; of one without a number, the one that is called so."""
    if named.tmdb_id is not None:
        return await films.film(named.tmdb_id)
    for found in await films.search(named.title, 5):
        years = (named.year, found.year)
        if collation_key(found.title) == collation_key(named.title) and (
            None in years or abs((named.year or 0) - (found.year or 0)) <= YEARS_APART
        ):
            return await films.film(found.tmdb_movie_id)
    return None


async def find_watched(ctx: HouseholdContext, numbers: Sequence[int]) -> set[int]:
    """Returns which of these films the household has watched: one request."""
    if not numbers:
        return set()
    key = {"group_id": ctx.group_id}
    refs = [WatchedFilm.at(tmdb_movie_id=one, **key) for one in dict.fromkeys(numbers)]
    return {one.tmdb_movie_id for one in await ctx.store.batch_get(refs) if one is not None}
