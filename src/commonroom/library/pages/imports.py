"""Bringing a file into a library: it is looked at first, and worked through while one looks on."""

from __future__ import annotations

from typing import Any

from litestar import Response, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, MultipartBody
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, NotFound, Refusal
from commonroom.http.access import Need, needs
from commonroom.http.arguments import Ctx
from commonroom.http.forms import (
    EMPTY,
    Form,
    FormState,
    Line,
    OneOrMany,
    Pages,
    as_list,
    show_refused,
)
from commonroom.http.redirects import redirect
from commonroom.http.request import Cursor, Request
from commonroom.imports.files import UnreadableFile
from commonroom.imports.pages import (
    MAX_UPLOAD,
    cancelled_flash,
    progress_context,
    refused_file,
)
from commonroom.library import words
from commonroom.library.pages import addresses
from commonroom.library.pages.page import render_page
from commonroom.library.service.access import own_library
from commonroom.library.service.imports import (
    Duplicates,
    LibraryImportChoices,
    LibraryImportStatus,
    lifecycle,
)
from commonroom.library.service.libraries import my_libraries

HERE = f"{addresses.LIBRARY}/import"


pages = Pages()


class LibraryUpload(Struct):
    """A file as a browser sends it."""

    file: UploadFile


class StartLibraryImportForm(Form):
    """What happens to things that are there already, and which shelves are left out."""

    import_id: Line
    duplicates: Duplicates = "skip"
    without: OneOrMany = ""
    goes_on: bool = False
    """Whether it began before, and stands still."""


class UndoForm(Form):
    """Which import is undone."""

    import_id: Line


@pages.page(addresses.IMPORT, Need.SIGNED_IN)
async def where_to(request: Request, cursor: Cursor = None) -> Response[Any]:
    """Into which library? One request."""
    mine = await my_libraries(request.context, cursor=cursor)
    return render_page(
        request, "library/import_where.html", libraries=mine.items, cursor=mine.cursor
    )


@pages.page(HERE, Need.NOT_ACTING)
async def import_page(
    request: Request, library_id: str, form: FormState = EMPTY, error: Refusal | None = None
) -> Response[Any]:
    """What a file would bring, how far it is, or what came of it."""
    context = await _context(request, library_id)
    if error is not None:
        form = refused_file(context["seen"], error)
    return render_page(request, **context, form=form)


@post(HERE, opt=needs(Need.NOT_ACTING), status_code=200, request_max_body_size=MAX_UPLOAD)
async def bring(
    request: Request, library_id: FromPath[str], data: MultipartBody[LibraryUpload]
) -> Response[Any]:
    """Parses a file and keeps it until its owner confirms it."""
    content, name = await data.file.read(), data.file.filename
    try:
        await lifecycle.prepare(request.context, library_id, file=content, file_name=name)
    except (UnreadableFile, Conflict) as error:
        return await show_refused(request, import_page, error, {"library_id": library_id})
    return redirect(addresses.import_into(library_id))


@pages.form(f"{HERE}/start", Need.NOT_ACTING, on=import_page)
async def begin(ctx: Ctx, library_id: str, data: StartLibraryImportForm) -> Response[Any]:
    """Begins; what was looked at before is what is brought in, or nothing is."""
    await lifecycle.start(
        ctx, library_id, data.import_id, duplicates=data.duplicates, without=as_list(data.without)
    )
    flash = "import-goes-on" if data.goes_on else "import-started"
    return redirect(addresses.import_into(library_id), flash)


@pages.form(f"{HERE}/outcome", Need.NOT_ACTING, on=import_page)
async def preview_outcome(
    request: Request, ctx: Ctx, library_id: str, data: StartLibraryImportForm
) -> Response[Any]:
    """What an import would do with other choices than those that the page began with."""
    choices = LibraryImportChoices(data.duplicates, frozenset(as_list(data.without)))
    outcome = await lifecycle.preview_outcome(ctx, library_id, data.import_id, choices)
    context = await _context(request, library_id) | {"outcome": outcome, "choices": choices}
    return render_page(request, **context, form=EMPTY)


@pages.form(f"{HERE}/undo", Need.NOT_ACTING, on=import_page, flash="import-undoing")
async def undo(ctx: Ctx, library_id: str, data: UndoForm) -> None:
    """Takes back what an import added, but for what was changed or lent since."""
    await lifecycle.undo(ctx, library_id, data.import_id)


@pages.form(f"{HERE}/cancel", Need.NOT_ACTING, on=import_page)
async def cancel(ctx: Ctx, library_id: str) -> Response[Any]:
    """Stops what runs, forgets what waits, closes a report."""
    library = (await own_library(ctx, library_id)).library
    here = addresses.import_into(library.library_id)
    before = await _find_import(ctx, library_id)
    if before is None:
        return redirect(here)
    await lifecycle.cancel(ctx, library_id)
    return redirect(here, cancelled_flash(before.state))


async def _context(request: Request, library_id: str) -> dict[str, Any]:
    library = (await own_library(request.context, library_id)).library
    seen = await _find_import(request.context, library_id)
    return {
        "template": "library/import.html",
        "library": library,
        **progress_context(seen, request.now),
        "formats": words.FORMATS,
        "fields": words.FIELDS,
        "outcome": None if seen is None or seen.preview is None else seen.preview.outcome,
        "choices": _default_choices(seen),
    }


def _default_choices(seen: LibraryImportStatus | None) -> LibraryImportChoices:
    """Returns what the page begins with: shelves of wishes stay out."""
    shelves = [] if seen is None or seen.preview is None else seen.preview.shelves
    return LibraryImportChoices(without=frozenset(one.name for one in shelves if one.unowned))


async def _find_import(ctx: Context, library_id: str) -> LibraryImportStatus | None:
    try:
        return await lifecycle.see_import(ctx, library_id)
    except NotFound:
        return None


pages.include(bring)
