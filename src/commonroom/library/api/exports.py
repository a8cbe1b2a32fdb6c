"""Exporting a library: a file that can be imported again."""

from __future__ import annotations

from commonroom.library.rules.formats.own_json import LibraryFile
from commonroom.library.service import exports
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.operations import get, part
from commonroom.web.responses import FileAnswer, JsonResponse

HERE = "/libraries/{library_id:str}"
CSV, JSON = "text/csv; charset=utf-8", "application/json"


@get(f"{HERE}/export.csv", Need.THEMSELVES, errors=(404,), file=CSV)
async def export_as_csv(ctx: Ctx, library_id: str) -> JsonResponse[None]:
    """Take one’s own library along as CSV: every item with all its fields and its loan."""
    name, pieces = await exports.export_csv(ctx, library_id)
    return FileAnswer(pieces, kind=CSV, name=f"{name}.csv")


@get(f"{HERE}/export.json", Need.THEMSELVES, errors=(404,), file=JSON)
async def export_as_json(ctx: Ctx, library_id: str) -> JsonResponse[LibraryFile]:
    """Take one’s own library along as JSON, with collections, borrowers and history."""
    name, pieces = await exports.export_json(ctx, library_id)
    return FileAnswer(pieces, kind=JSON, name=f"{name}.json")


OPERATIONS = part("Library: export", export_as_csv, export_as_json)
