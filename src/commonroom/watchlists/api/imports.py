"""Importing what a person has elsewhere, and taking lists along as files."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias
from urllib.parse import unquote

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx, File, Header
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.responses import CSV, JSON_FILE, FileAnswer, JsonResponse
from commonroom.imports.files import MAX_FILE
from commonroom.watchlists.api.fields import MaybeKey, TitleBody
from commonroom.watchlists.request import Catalogue, Exporter, MyImports
from commonroom.watchlists.rules.imports import (
    Rated,
    SameLists,
    Unknown,
    WatchlistImportChoices,
    WatchlistImportOutcome,
)
from commonroom.watchlists.service import exports
from commonroom.watchlists.service.imports import WatchlistImportStatus, unmatched
from commonroom.watchlists.service.imports.unmatched import OpenRow

HERE = "/watchlists/import"
ROWS = f"{HERE}/{{import_id:str}}/rows"
ONE = "/watchlists/{watchlist_id:str}"
TYPES = (
    "text/csv",
    "text/tab-separated-values",
    "text/plain",
    "application/json",
    "application/zip",
    "application/octet-stream",
)

SentFile: TypeAlias = Annotated[bytes, File(MAX_FILE, TYPES)]
FileName: TypeAlias = Annotated[
    str | None,
    Header(
        "X-File-Name",
        "The file’s name, which tells Letterboxd’s files apart; may be percent-encoded.",
        longest=1000,
    ),
]
ImportId: TypeAlias = Annotated[
    str, Meta(max_length=100, description="The import that was previewed.")
]


api = Operations("Watchlists: import", errors=(404, 409))
export_api = api.tagged("Watchlists: export")


class WhichImport(Body):
    """Which import is meant."""

    import_id: ImportId


class ImportChoices(Body):
    """How an import is to go."""

    import_id: ImportId
    same_lists: Annotated[
        SameLists, Meta(description="What to do with lists whose names the caller has already.")
    ] = "extend"
    rated: Annotated[
        Rated, Meta(description="What to do with titles that the caller has rated already.")
    ] = "keep"
    unknown: Annotated[
        Unknown, Meta(description="What to do with titles that the catalogue does not know.")
    ] = "make"
    publishes: Annotated[
        bool, Meta(description="Whether new lists become public when all is imported.")
    ] = False
    without: Annotated[
        list[Annotated[str, Meta(max_length=20)]],
        Meta(
            max_length=510,
            description="What to leave out: numbers of lists, ratings, reviews, seen, begun.",
        ),
    ] = msgspec.field(default_factory=list)

    @property
    def choices(self) -> WatchlistImportChoices:
        """Returns the choices as the service takes them."""
        return WatchlistImportChoices.of(self, self.without)


@api.post(HERE, Need.NOT_ACTING, errors=(409, 413, 422, 429))
async def prepare_watchlist_import(
    imports: MyImports, name: FileName, file: SentFile
) -> WatchlistImportStatus:
    """Send a file to be imported; its titles are looked up, then it waits for `start`.

    Files are those that Letterboxd (the ZIP, or each CSV), IMDb and Trakt (ZIP, JSON or CSV)
    export, and our own CSV and JSON: at most 8 MB (32 MB unpacked; ZIP files stored or deflated)
    and 50,000 rows. 409 while an import is running.
    """
    return await imports.prepare([(unquote(name or "file"), file)])


@api.get(HERE, Need.NOT_ACTING, errors=(404,))
async def get_watchlist_import(imports: MyImports) -> WatchlistImportStatus:
    """See how an import is getting on, or what came of it: for thirty days.

    While its state is `arriving`, its titles are looked up; after that its preview is whole.
    """
    return await imports.see()


@api.post(f"{HERE}/look-up", Need.NOT_ACTING, status=202)
async def look_up_watchlist_import(imports: MyImports, which: WhichImport) -> WatchlistImportStatus:
    """Look titles up again for which the film source did not answer (`unanswered`).

    What was found stays found. An import whose titles are being looked up goes on where it was
    given up.
    """
    return await imports.look_up_again(which.import_id)


@api.post(f"{HERE}/outcome", Need.NOT_ACTING, status=200)
async def preview_watchlist_import_outcome(
    imports: MyImports, how: ImportChoices
) -> WatchlistImportOutcome:
    """See what starting an import in this way would do. Nothing is done."""
    return await imports.preview_outcome(how.import_id, how.choices)


@api.post(f"{HERE}/start", Need.NOT_ACTING, status=202, errors=(403, 404, 409))
async def start_watchlist_import(imports: MyImports, how: ImportChoices) -> WatchlistImportStatus:
    """Start an import that was sent; it goes on by itself.

    Starting one again that is running lets it go on where it was given up.
    """
    return await imports.start(how.import_id, how.choices)


@api.post(f"{HERE}/undo", Need.NOT_ACTING, status=202)
async def undo_watchlist_import(imports: MyImports, which: WhichImport) -> WatchlistImportStatus:
    """Undo an import as a whole; what was changed since stays, and is named in `kept_notes`."""
    return await imports.undo(which.import_id)


@api.delete(HERE, Need.NOT_ACTING)
async def cancel_watchlist_import(imports: MyImports) -> None:
    """Stop an import that is running; what it added stays. One that is not is forgotten."""
    await imports.cancel()


@api.get(ROWS, Need.NOT_ACTING)
async def list_unmatched_rows(ctx: Ctx, import_id: str, paging: Paging) -> PagedList[OpenRow]:
    """List the rows of a finished import whose titles nobody knew."""
    page = await unmatched.open_rows(ctx, import_id, limit=paging.limit, cursor=paging.cursor)
    return PagedList(page.items, page.cursor)


@api.post(f"{ROWS}/{{row_id:str}}", Need.NOT_ACTING, status=200)
async def settle_unmatched_row(
    ctx: Ctx, titles: Catalogue, import_id: str, row_id: str, title: TitleBody
) -> OpenRow:
    """Say which title a row means: it is imported as if it had been known."""
    return await unmatched.settle(ctx, titles, import_id, row_id, title.id)


@api.delete(f"{ROWS}/{{row_id:str}}", Need.NOT_ACTING)
async def dismiss_unmatched_row(ctx: Ctx, import_id: str, row_id: str) -> None:
    """Let a row go that has no title."""
    await unmatched.dismiss(ctx, import_id, row_id)


@export_api.get(f"{ONE}/export.csv", Need.ANYONE, errors=(404, 429), file=CSV)
async def export_watchlist_as_csv(
    visitor: Exporter, watchlist_id: str, asked: MaybeKey
) -> JsonResponse[None]:
    """Take a list along as CSV; Letterboxd can import it, too."""
    found = replace(visitor, view_key=asked.key)
    name, pieces = await exports.export_csv(found, watchlist_id)
    return FileAnswer(pieces, kind=CSV, name=f"{name}.csv")


@export_api.get(f"{ONE}/export.json", Need.ANYONE, errors=(404, 429), file=JSON_FILE)
async def export_watchlist_as_json(
    visitor: Exporter, watchlist_id: str, asked: MaybeKey
) -> JsonResponse[dict[str, Any]]:
    """Take a list along as JSON."""
    found = replace(visitor, view_key=asked.key)
    name, pieces = await exports.export_json(found, watchlist_id)
    return FileAnswer(pieces, kind=JSON_FILE, name=f"{name}.json")


@export_api.get("/watchlists/export.json", Need.NOT_ACTING, file=JSON_FILE, errors=())
async def export_my_watchlists(ctx: Ctx) -> JsonResponse[dict[str, Any]]:
    """Take all one’s own lists, ratings and what one has seen along as JSON."""
    name, pieces = exports.export_everything(ctx)
    return FileAnswer(pieces, kind=JSON_FILE, name=f"{name}.json")
