"""What services are told of a request, by the API and by the pages alike."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from commonroom.http.arguments import From
from commonroom.http.call_limits import CallLimit, count_call
from commonroom.http.request import Request
from commonroom.rate_limits import Rate
from commonroom.titles.request import titles_of
from commonroom.titles.service import Titles
from commonroom.watchlists.rules.curators import WhoPublishes
from commonroom.watchlists.service.access import ListVisitor
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports

EXPORTS = CallLimit("watchlist-exports", Rate(30, 30), Rate(120, 60))
"""A file of 500 titles takes six requests to the store."""


def visitor_of(request: Request, key: str = "") -> ListVisitor:
    """Returns the caller, also a guest, or one whose token may not even read; `key` is a link's."""
    caller = request.caller
    account = caller.account if caller.may("read") else None
    return ListVisitor(
        request.store,
        request.now,
        None if account is None else account.user_id,
        is_admin=caller.is_admin and caller.may("admin"),
        view_key=key,
        blocked=frozenset() if account is None else account.blocked.keys(),
    )


def exporter_of(request: Request, key: str = "") -> ListVisitor:
    """Returns a caller who exports a list, which is counted."""
    count_call(request, EXPORTS)
    return visitor_of(request, key)


def who_publishes(request: Request) -> WhoPublishes:
    """Returns who may make lists public here: an administrator need not apply to themselves."""
    publishers = request.settings.who_publishes
    return "administrator" if publishers == "curators" and request.caller.is_admin else publishers


def imports_of(request: Request) -> WatchlistImports:
    """Returns the caller's imports."""
    return WatchlistImports(request.context, who_publishes(request))


AnyVisitor: TypeAlias = Annotated[ListVisitor, From(visitor_of)]
Exporter: TypeAlias = Annotated[ListVisitor, From(exporter_of)]
Publishers: TypeAlias = Annotated[WhoPublishes, From(who_publishes)]
MyImports: TypeAlias = Annotated[WatchlistImports, From(imports_of)]
Catalogue: TypeAlias = Annotated[Titles, From(titles_of)]
