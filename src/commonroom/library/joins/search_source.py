"""The library's own search behind the house's one box: what each person owns or is shared."""

from __future__ import annotations

from commonroom.errors import InvalidField
from commonroom.http.request import Request
from commonroom.http.words import _, lazy
from commonroom.joins.search_kinds import SearchResultCard, SearchSource
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import LibraryItemCard, card_of
from commonroom.library.rules.search import MAX_TEXT
from commonroom.library.service.search import MAX_PAGE, LibraryHit, search
from commonroom.library.service.search_cache import search_cache_of
from commonroom.search.marking import TextSpan


async def search_library(request: Request, text: str, limit: int) -> list[SearchResultCard]:
    """Items whose words match, the best first: four requests where titles are remembered."""
    cache = search_cache_of(request)
    try:
        found = await search(request.context, cache, text[:MAX_TEXT], limit=min(limit, MAX_PAGE))
    except InvalidField:  # more words than any title has
        return []
    return [_result(card_of(one.item, request), one) for one in found.hits]


def _result(card: LibraryItemCard, hit: LibraryHit) -> SearchResultCard:
    where = _("in %(library)s") % {"library": hit.library_name}
    if not hit.is_owner:
        name = hit.item.owner_name or _("someone")
        where = _("in %(name)s’s %(library)s") % {"library": hit.library_name, "name": name}
    line = " · ".join(part for part in (card.by, where) if part)
    return SearchResultCard(
        title=[TextSpan(card.title)], address=card.address, line=line, data=card
    )


SOURCE = SearchSource(
    kind="library",
    name=lazy("Your libraries"),
    picture="library/parts/search_picture.html",
    search=search_library,
    more=addresses.SEARCH,
    styles="library/library.css",
)
