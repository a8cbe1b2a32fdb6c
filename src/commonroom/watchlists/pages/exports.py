"""Lists as files: for their readers, and all that is a person's own."""

from __future__ import annotations

from typing import Any

from commonroom.http.access import Need
from commonroom.http.call_limits import count_call
from commonroom.http.forms import Pages
from commonroom.http.request import Request
from commonroom.http.responses import CSV, JSON_FILE, FileAnswer, Response
from commonroom.http.routes import get
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.page import Key
from commonroom.watchlists.request import EXPORTS, exporter_of
from commonroom.watchlists.service import exports

pages = Pages()


@get(f"{addresses.LIST}/export.csv", Need.ANYONE)
async def export_csv(request: Request, watchlist_id: str, key: Key = "") -> Response[Any]:
    """A list as CSV."""
    name, pieces = await exports.export_csv(exporter_of(request, key), watchlist_id)
    return FileAnswer(pieces, kind=CSV, name=f"{name}.csv")


@get(f"{addresses.LIST}/export.json", Need.ANYONE)
async def export_json(request: Request, watchlist_id: str, key: Key = "") -> Response[Any]:
    """A list as JSON."""
    name, pieces = await exports.export_json(exporter_of(request, key), watchlist_id)
    return FileAnswer(pieces, kind=JSON_FILE, name=f"{name}.json")


@get(addresses.EXPORT_ALL, Need.NOT_ACTING)
async def export_everything(request: Request) -> Response[Any]:
    """All one's own lists, ratings and what one has seen, as JSON."""
    count_call(request, EXPORTS)
    name, pieces = exports.export_everything(request.context)
    return FileAnswer(pieces, kind=JSON_FILE, name=f"{name}.json")


pages.include(export_csv, export_json, export_everything)
