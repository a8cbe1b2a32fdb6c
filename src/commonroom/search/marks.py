"""What rooms know of films and shows that were found: asked for after these are shown.

A search with all rooms takes as many requests as a page may; these are as many again, and nobody
has to wait for them. Without scripts they are on the page of each title.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.joins.title_marks import TitleMark, load_title_marks
from commonroom.search.documents import Document
from commonroom.search.find import count_search
from commonroom.search.index import SearchIndex
from commonroom.titles.search_documents import CONTENT_TYPES
from commonroom.titles.titles import TitleFacts

MARKS = "/search/marks"
MAX_MARKS = 30
"""How many titles a page of results has of one kind."""

Titles = Annotated[str, Meta(max_length=2000)]


class MarkedTitle(Struct, frozen=True):
    """A title among results, and what is known of it."""

    element: str
    marks: Sequence[TitleMark]


pages = Pages()


@pages.page(MARKS, Need.SIGNED_IN)
async def title_marks(request: Request, *, titles: Titles = "") -> Response[Any]:
    """What rooms know of these titles, for as many as a page shows."""
    count_search(request, "search-marks")
    facts = await _facts(request, titles)
    marks = await load_title_marks(request, [*facts.values()]) if facts else {}
    marked = [MarkedTitle(name, marks.get(one.id, [])) for name, one in facts.items()]
    return render(request, "search/marks.html", titles=marked)


async def _facts(request: Request, titles: str) -> dict[str, TitleFacts]:
    """Titles by where they are shown, as the index knows them: everybody may find these."""
    keys = list(dict.fromkeys(_keys(titles)))[: 2 * MAX_MARKS]
    index: SearchIndex = request.app.state.search
    found = await index.read(keys) if keys else {}
    return {
        f"{kind}-{one}": _as_facts(found[kind, one]) for kind, one in keys if (kind, one) in found
    }


def _keys(titles: str) -> Iterator[tuple[str, str]]:
    for one in titles.split(","):
        kind, dash, title_id = one.partition("-")
        if kind in CONTENT_TYPES and dash and title_id:
            yield kind, title_id


def _as_facts(document: Document) -> TitleFacts:
    return TitleFacts(
        content_type=CONTENT_TYPES[document.kind],
        content_id=document.id,
        title=document.title,
        year=document.year,
    )
