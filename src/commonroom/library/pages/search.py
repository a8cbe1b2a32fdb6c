"""Search across all that a person owns or is shared, and among what they can lend."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.errors import InvalidField
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Pages, refused
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.library.pages import addresses
from commonroom.library.pages.addresses import current_page
from commonroom.library.pages.cards import LibraryItemCard, card_of
from commonroom.library.pages.page import render_page
from commonroom.library.rules.search import MAX_TEXT
from commonroom.library.service.search import LibraryHit, search
from commonroom.library.service.search_cache import search_cache_of

PAGE = 20

Text = Annotated[str, Meta(max_length=1000)]
"""What is searched for."""


pages = Pages()


class LibraryHitCard(Struct, frozen=True):
    """An item that was found, and where it stands."""

    card: LibraryItemCard
    hit: LibraryHit


@pages.page(addresses.SEARCH, Need.SIGNED_IN)
async def search_page(request: Request, q: Text = "", cursor: Cursor = None) -> Response[Any]:
    """What matches all words that were typed, the best first; nothing is asked for nothing."""
    return await _render_found(request, q, cursor, lends=False)


@pages.page(addresses.LEND, Need.NOT_ACTING)
async def lend_page(request: Request, q: Text = "", cursor: Cursor = None) -> Response[Any]:
    """Searches one's own items; what is lent is found first."""
    return await _render_found(request, q, cursor, lends=True)


async def _render_found(
    request: Request, q: str, cursor: str | None, *, lends: bool
) -> Response[Any]:
    text = q.strip()[:MAX_TEXT]
    context: dict[str, Any] = {"template": "library/search.html", "text": text, "form": EMPTY}
    context |= {"found": None, "cursor": None, "came_from": current_page(request)}
    context |= {"lends": lends, "here": addresses.LEND if lends else addresses.SEARCH}
    if not text:
        return render_page(request, **context)
    cache = search_cache_of(request)
    try:
        found = await search(request.context, cache, text, limit=PAGE, cursor=cursor)
    except InvalidField as error:
        return render_page(request, error=error, **context | {"form": refused({}, error)})
    hits = [one for one in found.hits if one.is_owner or not lends]
    cards = [LibraryHitCard(card_of(one.item, request), one) for one in hits]
    return render_page(request, **context | {"found": cards, "cursor": found.cursor})
