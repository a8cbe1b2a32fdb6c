"""Search across everything that one owns or is shared."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.request import Request
from commonroom.library.api import views
from commonroom.library.rules.search import MAX_TEXT, MAX_WORDS
from commonroom.library.service.search import MAX_PAGE, PAGE, search
from commonroom.library.service.search_cache import search_cache_of

api = Operations("Library: search")


class LibrarySearchParameters(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to look for, and which part of what is found."""

    q: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_TEXT,
            description=f"Words of titles, collections and people’s names; at most {MAX_WORDS}.",
        ),
    ]
    limit: Annotated[int, Meta(ge=1, le=MAX_PAGE, description="Maximum number.")] = PAGE


class FoundItem(Struct, frozen=True):
    """An item that was found."""

    item: views.Item
    library_name: Annotated[str, Meta(description="The library it is in.")]
    is_mine: Annotated[
        bool, Meta(description="Whether the caller owns it, or it is shared with them.")
    ]


@api.get("/library/search", Need.SIGNED_IN)
async def search_library(
    request: Request, searching: LibrarySearchParameters
) -> PagedList[FoundItem]:
    """Search all libraries that one owns or is shared, the best first.

    Every word must match a word of the title, of the collection’s name or of an author’s,
    director’s or actor’s, as its beginning or with a typo (from four letters on; two from
    eight). Accents and case do not count.
    """
    found = await search(
        request.context,
        search_cache_of(request),
        searching.q,
        limit=searching.limit,
        cursor=searching.cursor,
    )
    hits = [
        FoundItem(views.item(one.item, is_mine=one.is_owner), one.library_name, one.is_owner)
        for one in found.hits
    ]
    return PagedList(hits, found.cursor)
