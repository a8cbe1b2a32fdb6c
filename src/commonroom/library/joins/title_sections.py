"""What the library adds to the page of a film: who has it on a shelf, and whether it is there."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from commonroom.http.request import Request
from commonroom.http.words import _
from commonroom.joins.title_sections import TitleSection
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import LoanCard, loan_of
from commonroom.library.rules.names import new_id
from commonroom.library.service.films import (
    FilmCopy,
    find_copies,
    find_copies_in,
    find_library_keys,
)
from commonroom.library.service.library_key_cache import LibraryKey
from commonroom.library.service.search_cache import search_cache_of
from commonroom.library.tables import Library
from commonroom.titles.films import Film
from commonroom.titles.request import reader_of
from commonroom.titles.service import FoundTitle
from commonroom.titles.titles import TitleFacts, TitleId


class CopyCard(Struct, frozen=True):
    """A copy of a film on a shelf, as the caller may see it."""

    copy: FilmCopy
    loan: LoanCard | None
    """Who has it, for its owner."""

    @property
    def address(self) -> str:
        """Its page."""
        return addresses.item(self.copy.item.library_id, self.copy.item.item_id)

    @property
    def library_name(self) -> str:
        """Where it belongs."""
        return self.copy.access.library.library_name

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return place_in_words(self.copy)


def place_in_words(copy: FilmCopy) -> str:
    """Returns where a copy is; who has it is said to its owner alone."""
    if copy.is_own:
        if copy.is_there:
            return _("On your shelf")
        return _("Lent to %(name)s") % {"name": copy.item.lent_to}
    name = copy.owner_name or _("someone")
    if copy.is_there:
        return _("On %(name)s’s shelf") % {"name": name}
    return _("On %(name)s’s shelf, but not there right now") % {"name": name}


class ShelfSection(Struct, frozen=True):
    """A film on the shelves that the caller may know of."""

    address: str
    copies: list[CopyCard]
    libraries: list[Library]
    """Where they could add it; empty while acting for a person, and where they have a copy."""
    may_add: bool
    form_id: str
    """So that a press that is sent twice adds one copy."""


async def prepare_shelf(request: Request, title: TitleId) -> Sequence[LibraryKey] | None:
    """Which libraries the caller may look into: two queries, none where that is remembered."""
    if title.content_type != "MOVIE" or reader_of(request) is None:
        return None
    return await find_library_keys(request.context, search_cache_of(request))


async def load_shelf(
    request: Request, found: FoundTitle, keys: Sequence[LibraryKey] | None
) -> ShelfSection | None:
    """Returns who has it: read by key while the shelves are as they were last read."""
    if keys is None:
        return None
    cache = search_cache_of(request)
    shelves = await find_copies_in(request.context, cache, keys, [found.facts])
    copies = shelves.copies[found.facts.id]
    may_add = request.caller.acting_as is None and not any(one.is_own for one in copies)
    if not copies and not may_add:
        return None
    return ShelfSection(
        address=found.facts.id.address,
        copies=[
            CopyCard(one, loan_of(one.item, request.now, request.person) if one.is_own else None)
            for one in copies
        ],
        libraries=shelves.own if may_add else [],
        may_add=may_add,
        form_id=new_id(),
    )


async def kept_title(request: Request, title: TitleId) -> TitleFacts | None:
    """What stands on the cover of a film that nobody else knows: three requests, as above."""
    if title.content_type != "MOVIE" or title.tmdb_id is None or reader_of(request) is None:
        return None
    sought = Film(tmdb_id=title.tmdb_id, title="")
    shelves = await find_copies(request.context, search_cache_of(request), [sought])
    item = next((one.item for one in shelves.copies[title]), None)
    if item is None or item.tmdb_id is None:
        return None
    return Film(
        tmdb_id=item.tmdb_id,
        title=item.title,
        year=item.release_year,
        runtime=item.duration,
        makers=tuple(item.directors),
        cast=tuple(item.cast),
        overview=item.summary,
    )


TITLE_SECTIONS = (
    TitleSection(
        name="shelf",
        template="library/title_shelf.html",
        prepare=prepare_shelf,
        load=load_shelf,
        place="beside",
    ),
)
