"""The search page: a form and what was found, by kind; with scripts, as one types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.forms import Pages, page_routes
from commonroom.http.render import refuse, render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router
from commonroom.http.words import _
from commonroom.joins import search_places as places
from commonroom.search import marks
from commonroom.search.find import ResultGroup, count_search, find_groups, kinds_in, sources_in
from commonroom.search.index import SearchIndex, SearchUnavailable
from commonroom.search.marks import MARKS
from commonroom.search.queries import MAX_TEXT, SearchQuery
from commonroom.texts import clean_line
from commonroom.titles.genres import TITLE_GENRES

HERE = "/search"
TEMPLATE = "search/search.html"
OF_EACH = 5
OF_ONE = 30
"""How many are shown of a kind, among others and alone."""

Text = Annotated[str, Meta(max_length=10_000)]
Short = Annotated[str, Meta(max_length=100)]


pages = Pages()


class KindChoice(Struct, frozen=True):
    """A kind to look for, or all of them."""

    name: str
    address: str
    is_chosen: bool


class Asked(Struct, frozen=True):
    """What the page is asked for; what makes no sense is left out."""

    text: str
    kind: str = ""
    year_from: int | None = None
    year_to: int | None = None
    genre: str = ""

    @property
    def query(self) -> SearchQuery:
        """What the index is asked."""
        return SearchQuery(
            text=self.text,
            kinds=(self.kind,) if self.kind else (),
            year_from=self.year_from,
            year_to=self.year_to,
            genres=(self.genre,) if self.genre else (),
            limit=OF_ONE if self.kind else OF_EACH,
            grouped=True,
        )

    @property
    def is_filtered(self) -> bool:
        """Whether years or a genre are asked for."""
        return bool(self.year_from or self.year_to or self.genre)

    def address(self, kind: str) -> str:
        """Returns the address of this search among another kind."""
        asked = {
            "q": self.text,
            "kind": kind,
            "year_from": self.year_from,
            "year_to": self.year_to,
            "genre": self.genre,
        }
        return f"{HERE}?{urlencode({name: value for name, value in asked.items() if value})}"


@pages.page(HERE, Need.ANYONE)
async def search_page(
    request: Request,
    *,
    q: Text = "",
    kind: Short = "",
    year_from: Short = "",
    year_to: Short = "",
    genre: Short = "",
) -> Response[Any]:
    """What was found; nothing is looked for where nothing was typed."""
    names = _names(request)
    asked = Asked(
        clean_line(q)[:MAX_TEXT],
        kind if kind in names else "",
        _year(year_from),
        _year(year_to),
        genre if genre in TITLE_GENRES.values() else "",
    )
    groups: list[ResultGroup] | None = None
    trouble: SearchUnavailable | None = None
    is_filling = False
    if asked.text:
        count_search(request)
        index: SearchIndex = request.app.state.search
        try:
            groups = await find_groups(request, asked.query)
            is_filling = not groups and not await index.is_complete()
        except SearchUnavailable as error:
            trouble = error
    limit = asked.query.limit
    shown = render(
        request,
        TEMPLATE,
        asked=asked,
        groups=groups,
        limit=limit,
        number=sum(len(group.results) for group in groups or ()),
        has_more=any(len(group.results) >= limit for group in groups or ()),
        choices=_choices(asked, names),
        genres=sorted((_(name), name) for name in TITLE_GENRES.values()),
        styles=_styles(request),
        is_unavailable=trouble is not None,
        is_filling=is_filling,
        marks_address=_marks_address(request, groups or ()),
    )
    # What was left empty is not in the address that a browser keeps while one types.
    shown.headers["HX-Replace-Url"] = asked.address(asked.kind)
    return shown if trouble is None else refuse(shown, trouble)


def _marks_address(request: Request, groups: Sequence[ResultGroup]) -> str:
    """Returns where more is said of the titles that were found; empty for guests."""
    titles = [one.element for group in groups for one in group.results if one.element]
    if not titles or request.caller.account is None:
        return ""
    return f"{MARKS}?{urlencode({'titles': ','.join(titles)})}"


def _names(request: Request) -> dict[str, str]:
    """Returns what each kind is called that can be looked for."""
    public = {one.kind: _(one.name) for one in kinds_in(request)}  # each once
    found = public | {one.kind: _(one.name) for one in sources_in(request)}
    return found | ({places.KIND: _(places.NAME)} if places.places_in(request) else {})


def _styles(request: Request) -> list[str]:
    """Returns the style sheets of pictures that may come while one types."""
    declared = [
        *(one.styles for one in kinds_in(request)),
        *(one.styles for one in sources_in(request)),
    ]
    return list(dict.fromkeys(filter(None, declared)))


def _choices(asked: Asked, names: dict[str, str]) -> list[KindChoice]:
    everything = KindChoice(_("Everything"), asked.address(""), is_chosen=not asked.kind)
    return [
        everything,
        *(
            KindChoice(name, asked.address(kind), kind == asked.kind)
            for kind, name in names.items()
        ),
    ]


def _year(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) == 4 else None


def search_pages() -> Router:
    """Returns the pages of search."""
    return Router("/", page_routes(pages, marks.pages))
