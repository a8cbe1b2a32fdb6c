"""Titles that resemble a text: what the source knows, and what was made here."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence

from commonroom.catalog.search_documents import KINDS
from commonroom.catalog.service import BOTH
from commonroom.catalog.stored_titles import Stored, facts_of, title_ref
from commonroom.catalog.titles import ContentType, TitleFacts, TitleId
from commonroom.search.index import SearchIndex, SearchUnavailable
from commonroom.search.queries import MOST_HITS, Query
from commonroom.web.request import Request
from commonroom.web.titles.request import titles_of

logger = logging.getLogger(__name__)

CONTENT_TYPES = {kind: content_type for content_type, kind in KINDS.items()}


async def search_titles(
    request: Request, text: str, kinds: Collection[ContentType] = BOTH, limit: int = 20
) -> list[TitleFacts]:
    """Titles that resemble a text: those made here first, since no source would find them.

    One request where some were made here, none otherwise, and the source's.
    """
    made = await _made_here(request, text, kinds)
    told = await titles_of(request).search(text, kinds, limit)
    # A title that was made here and given a TMDB id is not what the source says of it.
    taken = {(one.content_type, one.tmdb_id) for one in made if one.tmdb_id is not None}
    others = [one for one in told if (one.content_type, one.tmdb_id) not in taken]
    return [*made, *others][:limit]


async def _made_here(
    request: Request, text: str, kinds: Collection[ContentType]
) -> Sequence[TitleFacts]:
    index: SearchIndex | None = request.app.state.get("search")
    if index is None or not text.strip():
        return []
    query = Query(text=text, kinds=tuple(KINDS[one] for one in kinds), limit=MOST_HITS)
    try:
        hits = await index.search(query)
    except SearchUnavailable:
        logger.warning("Titles made here could not be searched.")
        return []
    found = [TitleId(CONTENT_TYPES[hit.document.kind], hit.document.id) for hit in hits]
    ours = [one for one in found if one.tmdb_id is None]
    stored: list[Stored | None] = await request.store.batch_get([title_ref(one) for one in ours])
    return [facts_of(one) for one in stored if one is not None and one.removed_at is None]
