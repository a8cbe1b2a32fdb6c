"""Search across everything that somebody owns or is shared."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response
from litestar.params import QueryParameter
from msgspec import Struct

from commonroom.errors import InvalidField
from commonroom.library.pages import addresses
from commonroom.library.pages.addresses import current_page
from commonroom.library.pages.cards import ItemCard, card_of
from commonroom.library.pages.page import render_page
from commonroom.library.rules.search import LONGEST_TEXT
from commonroom.library.service.search import Hit, search
from commonroom.library.service.search_cache import search_cache_of
from commonroom.web.access import Need
from commonroom.web.forms import EMPTY, handlers, page, refused
from commonroom.web.request import Cursor, Request

PAGE = 20

Text = Annotated[str, QueryParameter(max_length=1000)]
"""What somebody looks for."""


class FoundCard(Struct, frozen=True):
    """An item that was found, and where it stands."""

    card: ItemCard
    hit: Hit


@page(addresses.SEARCH, Need.SIGNED_IN)
async def search_page(request: Request, q: Text = "", cursor: Cursor = None) -> Response[Any]:
    """What matches all words that were typed, the best first; nothing is asked for nothing."""
    text = q.strip()[:LONGEST_TEXT]
    context: dict[str, Any] = {"template": "library/search.html", "text": text, "form": EMPTY}
    context |= {"found": None, "cursor": None, "came_from": current_page(request)}
    if not text:
        return render_page(request, **context)
    cache = search_cache_of(request)
    try:
        found = await search(request.context, cache, text, limit=PAGE, cursor=cursor)
    except InvalidField as error:
        return render_page(request, error=error, **context | {"form": refused({}, error)})
    cards = [FoundCard(card_of(one.item, request), one) for one in found.hits]
    return render_page(request, **context | {"found": cards, "cursor": found.cursor})


HANDLERS = handlers(search_page)
