"""Discovery: public lists for everybody, newest or trending, by genre, decade or tag."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.store import Page
from commonroom.titles.genres import GENRES
from commonroom.titles.words import genre_name
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.cards import list_cards
from commonroom.watchlists.pages.page import render_page
from commonroom.watchlists.service import discovery
from commonroom.watchlists.tables import Facet, Watchlist

DECADES = [f"{year}" for year in range(2020, 1910, -10)]

Sort = Annotated[str, Meta(max_length=10)]
Value = Annotated[str, Meta(max_length=100)]


pages = Pages()


class Chosen(Struct, frozen=True):
    """What is searched for: a facet, or none."""

    facet: Facet | None = None
    value: str = ""

    @property
    def query(self) -> str:
        """Returns the filter for the address of the next page."""
        if self.facet is None:
            return ""
        return f"{addresses.browse(self.facet, self.value).partition('?')[2]}&"


@pages.page(addresses.ROOM, Need.ANYONE)
async def discover(
    request: Request,
    *,
    sort: Sort = "new",
    genre: Value = "",
    decade: Value = "",
    tag: Value = "",
    cursor: Cursor = None,
) -> Response[Any]:
    """Public lists: one request for the newest, two for all others."""
    chosen = _chosen(genre=genre, decade=decade, tag=tag)
    trends = chosen.facet is None and sort == "trending"
    found = await _found(request, chosen, cursor, trends=trends)
    genres = sorted((genre_name(one), name.casefold()) for one, name in GENRES.items())
    return render_page(
        request,
        "watchlists/discover.html",
        cards=list_cards(request, found.items),
        cursor=found.cursor,
        is_first=cursor is None,
        sort="trending" if trends else "new",
        chosen=chosen,
        genres=genres,
        decades=DECADES,
        genre_name=genre_name,
    )


def _chosen(**asked: str) -> Chosen:
    for facet, value in asked.items():
        if value.strip():
            return Chosen(facet, value.strip())  # type: ignore[arg-type] # a facet, by its name
    return Chosen()


async def _found(
    request: Request, chosen: Chosen, cursor: str | None, *, trends: bool
) -> Page[Watchlist]:
    if trends:
        return await discovery.trending(request.store, cursor=cursor)
    if chosen.facet is None:
        return await discovery.newest(request.store, cursor=cursor)
    return await discovery.browse(request.store, chosen.facet, chosen.value, cursor=cursor)
