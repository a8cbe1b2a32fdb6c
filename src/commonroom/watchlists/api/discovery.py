"""Public lists: newest first, by what is in them, and those that many save."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.errors import BadRequest
from commonroom.http.access import Need
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.store import Page
from commonroom.watchlists.api import list_views as views
from commonroom.watchlists.request import AnyVisitor
from commonroom.watchlists.rules.lists import MAX_ID
from commonroom.watchlists.service import discovery
from commonroom.watchlists.service.access import ListVisitor
from commonroom.watchlists.service.discovery import PAGE
from commonroom.watchlists.service.profiles import public_profile
from commonroom.watchlists.tables import Facet, Watchlist

Sought: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_ID)]
FACETS: dict[str, Facet] = {
    "tag": "tag",
    "genre": "genre",
    "decade": "decade",
    "film": "MOVIE",
    "show": "SHOW",
    "curator": "curator",
}


api = Operations("Watchlists: discovery")


class Discovery(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which lists; at most one of the filters."""

    limit: Annotated[int, Meta(ge=1, le=100, description="Maximum number.")] = PAGE
    tag: Sought | None = None
    genre: Annotated[Sought | None, Meta(description="By name, such as `Drama`.")] = None
    decade: (
        Annotated[int, Meta(ge=1800, le=2990, description="Its first year, such as `1990`.")] | None
    ) = None
    film: Annotated[Sought | None, Meta(description="Lists that hold this film.")] = None
    show: Annotated[Sought | None, Meta(description="Lists that hold this show.")] = None
    curator: Annotated[Sought | None, Meta(description="By username.")] = None


@api.get("/watchlists", Need.ANYONE, errors=(404,))
async def discover_watchlists(
    visitor: AnyVisitor, asked: Discovery
) -> PagedList[views.WatchlistView]:
    """List public lists, newest first.

    By a tag, or by a genre or decade that at least a fifth of their titles have, or those that
    hold a film or show, or a curator’s.
    """
    filters = {name: str(value) for name in FACETS if (value := getattr(asked, name)) is not None}
    if len(filters) > 1:
        raise BadRequest("Use one filter at a time.", field=list(filters)[1])
    found = await _find(visitor, asked, filters)
    return PagedList(views.watchlists(found.items), found.cursor)


async def _find(visitor: ListVisitor, asked: Discovery, filters: dict[str, str]) -> Page[Watchlist]:
    store, limit, cursor = visitor.store, asked.limit, asked.cursor
    if not filters:
        return await discovery.newest(store, limit=limit, cursor=cursor)
    ((name, value),) = filters.items()
    if name == "curator":
        value = (await public_profile(visitor, value)).user_id
    return await discovery.browse(store, FACETS[name], value, limit=limit, cursor=cursor)


@api.get("/watchlists/trending", Need.ANYONE)
async def list_trending_watchlists(
    visitor: AnyVisitor, paging: Paging
) -> PagedList[views.WatchlistView]:
    """List the public lists that most people saved in the last seven days."""
    found = await discovery.trending(visitor.store, limit=paging.limit, cursor=paging.cursor)
    return PagedList(views.watchlists(found.items), found.cursor)
