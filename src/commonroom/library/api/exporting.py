"""Exporting a library: a file that can be imported again."""

from __future__ import annotations

from commonroom.library.rules.formats.own_json import LibraryFile
from commonroom.library.service import exporting
from commonroom.web.access import Need
from commonroom.web.answers import Answer
from commonroom.web.api_requests import ApiRequest
from commonroom.web.files import FileAnswer
from commonroom.web.operations import get, part

HERE = "/libraries/{library_id:str}"
CSV, JSON = "text/csv; charset=utf-8", "application/json"


@get(f"{HERE}/export.csv", Need.THEMSELVES, errors=(404,), file=CSV)
async def export_as_csv(request: ApiRequest, library_id: str) -> Answer[None]:
    """Take one’s own library along as CSV: every item with all its fields and its loan."""
    name, pieces = await exporting.export_csv(request.store, request.person, library_id)
    return FileAnswer(pieces, kind=CSV, name=f"{name}.csv")


@get(f"{HERE}/export.json", Need.THEMSELVES, errors=(404,), file=JSON)
async def export_as_json(request: ApiRequest, library_id: str) -> Answer[LibraryFile]:
    """Take one’s own library along as JSON, with collections, borrowers and history."""
    name, pieces = await exporting.export_json(request.store, request.person, library_id)
    return FileAnswer(pieces, kind=JSON, name=f"{name}.json")


OPERATIONS = part("Library: export", export_as_csv, export_as_json)
