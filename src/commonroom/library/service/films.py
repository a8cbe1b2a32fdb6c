"""Films on shelves: which of them a person has, or may know of, and whether they are there now."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeAlias

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.library.rules.films import ShelvedFilm, is_same_film
from commonroom.library.rules.search_index import LibrarySearchIndex
from commonroom.library.service.access import (
    LibraryAccess,
    library_at,
    read_library_keys,
    readable_libraries,
    readable_of,
)
from commonroom.library.service.library_key_cache import LibraryKey
from commonroom.library.service.search_cache import SearchCache, indexes_of
from commonroom.library.tables import Library, Video, owner_id_of
from commonroom.store import Ref
from commonroom.titles.titles import TitleFacts, TitleId

MAX_COPIES = 200
"""In one library, of all films that are asked for at once."""

ItemKey: TypeAlias = tuple[str, str, str]
"""Its owner, its library, and the item."""


class FilmCopy(Struct, frozen=True):
    """A copy of a film on a shelf that the caller may look into."""

    access: LibraryAccess
    item: Video
    """With all that only its owner may see."""

    @property
    def is_own(self) -> bool:
        """Whether the caller owns it."""
        return self.access.is_owner

    @property
    def is_there(self) -> bool:
        """Whether it stands on the shelf now: others are told that much, and not who has it."""
        return self.item.lent_to is None

    @property
    def owner_name(self) -> str | None:
        """Whose it is; None of one's own, and where nobody knows."""
        return None if self.is_own else self.access.library.owner_name


class FilmCopies(Struct, frozen=True):
    """The libraries that a person may look into, and the copies in them that were asked for."""

    libraries: list[LibraryAccess]
    copies: dict[TitleId, list[FilmCopy]]
    """One's own first, and what is there before what is lent."""

    @property
    def own(self) -> list[Library]:
        """One's own libraries, by name."""
        return [one.library for one in self.libraries if one.is_owner]


async def find_copies(ctx: Context, cache: SearchCache, films: Sequence[TitleFacts]) -> FilmCopies:
    """Returns the copies of some films that a person has, or that are shared with them.

    Three requests where all titles are remembered: which libraries (two), and whether these and the
    copies still are theirs or shared. A library that changed since is read again, as search does.
    """
    return await find_copies_in(ctx, cache, await read_library_keys(ctx), films)


async def find_copies_in(
    ctx: Context, cache: SearchCache, keys: Sequence[LibraryKey], films: Sequence[TitleFacts]
) -> FilmCopies:
    """The copies of some films in libraries of which a person knows, as far as they still may."""
    guessed = [
        item
        for key in keys
        if (index := cache.peek(*key)) is not None
        for item in _items_in(key, index, films)
    ]
    found: list[Any] = await ctx.store.batch_get([*map(library_at, keys), *map(_item, guessed)])
    items = dict(zip(guessed, found[len(keys) :], strict=True))
    libraries = readable_of(ctx, found[: len(keys)])
    indexes = await indexes_of(ctx.store, cache, [one.library for one in libraries])
    wanted = [
        (access, one)
        for access, index in zip(libraries, indexes, strict=True)
        for one in _items_in((access.library.owner_id, access.library.library_id), index, films)
    ]
    if missing := [one for _, one in wanted if one not in items]:
        read = await ctx.store.batch_get([*map(_item, missing)])
        items |= dict(zip(missing, read, strict=True))
    copies = [FilmCopy(access, item) for access, one in wanted if (item := items[one]) is not None]
    copies.sort(key=lambda one: (not one.is_own, not one.is_there))
    by_film = {film.id: [one for one in copies if is_same_film(one.item, film)] for film in films}
    return FilmCopies(libraries, by_film)


async def list_shelved_films(ctx: Context, cache: SearchCache) -> list[ShelvedFilm]:
    """All films on the shelves that a person may look into: three requests once remembered."""
    libraries = await readable_libraries(ctx)
    indexes = await indexes_of(ctx.store, cache, [one.library for one in libraries])
    return [film for index in indexes for film in index.films.films]


async def find_library_keys(ctx: Context, cache: SearchCache) -> Sequence[LibraryKey]:
    """Returns the libraries of which a person knew a few seconds ago, or else knows now.

    Two requests, or none. It is exact where an engine numbers its changes: there it is cheap.
    """
    if ctx.store.engine.change_number() is not None:
        return await read_library_keys(ctx)
    me = owner_id_of(ctx.person.user_id)
    mark = cache.library_keys.mark(ctx.store, me)
    known = cache.library_keys.find(me, mark)
    if known is None:
        known = await read_library_keys(ctx)
        cache.library_keys.keep(me, mark, known)
    return known


def _items_in(
    key: LibraryKey, index: LibrarySearchIndex, films: Sequence[TitleFacts]
) -> list[ItemKey]:
    found = (one.item_id for film in films for one in index.films.find(film))
    return [(*key, one) for one in islice(dict.fromkeys(found), MAX_COPIES)]


def _item(key: ItemKey) -> Ref[Video]:
    return Video.at(owner_id=key[0], library_id=key[1], item_id=key[2])
