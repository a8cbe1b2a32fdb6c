"""Bringing a file into a library: it is looked at first, and worked through while one looks on."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.errors import Conflict, Refusal
from commonroom.http.access import Need
from commonroom.http.form_data import FormFile
from commonroom.http.forms import EMPTY, FormState, Pages, as_list, show_refused
from commonroom.http.redirects import redirect
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.routes import post
from commonroom.imports.files import UnreadableFile
from commonroom.imports.pages import (
    MAX_UPLOAD,
    StartImportForm,
    WhichImportForm,
    cancel_import,
    progress_context,
    refused_file,
)
from commonroom.library import words
from commonroom.library.pages import addresses
from commonroom.library.pages.page import render_page
from commonroom.library.request import ImportsOfLibrary, imports_of
from commonroom.library.service.imports import (
    Duplicates,
    LibraryImportChoices,
    LibraryImportStatus,
)
from commonroom.library.service.imports.lifecycle import LibraryImports
from commonroom.library.service.libraries import my_libraries

HERE = f"{addresses.LIBRARY}/import"


pages = Pages()


class LibraryUpload(Struct):
    """A file as a browser sends it."""

    file: FormFile


class StartLibraryImportForm(StartImportForm):
    """What happens to things that are there already, and which shelves are left out."""

    duplicates: Duplicates = "skip"

    @property
    def choices(self) -> LibraryImportChoices:
        """Returns the choices as the service takes them."""
        return LibraryImportChoices.of(self, as_list(self.without))


@pages.page(addresses.IMPORT, Need.SIGNED_IN)
async def where_to(request: Request, cursor: Cursor = None) -> Response[Any]:
    """Into which library? One request."""
    mine = await my_libraries(request.context, cursor=cursor)
    return render_page(
        request, "library/import_where.html", libraries=mine.items, cursor=mine.cursor
    )


@pages.page(HERE, Need.NOT_ACTING)
async def import_page(
    request: Request,
    imports: ImportsOfLibrary,
    form: FormState = EMPTY,
    error: Refusal | None = None,
) -> Response[Any]:
    """What a file would bring, how far it is, or what came of it."""
    context = await _context(request, imports)
    if error is not None:
        form = refused_file(context["seen"], error)
    return render_page(request, **context | {"form": form})


@post(HERE, Need.NOT_ACTING, max_body=MAX_UPLOAD)
async def bring(request: Request, data: LibraryUpload) -> Response[Any]:
    """Parses a file and keeps it until its owner confirms it."""
    content, name = data.file.content, data.file.filename
    imports = imports_of(request)
    try:
        await imports.prepare(content, name)
    except (UnreadableFile, Conflict) as error:
        return await show_refused(request, import_page, error, {})
    return redirect(addresses.import_into(imports.library_id))


@pages.form(f"{HERE}/start", Need.NOT_ACTING, on=import_page)
async def begin(imports: ImportsOfLibrary, data: StartLibraryImportForm) -> Response[Any]:
    """Begins; what was looked at before is what is brought in, or nothing is."""
    await imports.start(data.import_id, data.choices)
    return redirect(addresses.import_into(imports.library_id), data.flash)


@pages.form(f"{HERE}/outcome", Need.NOT_ACTING, on=import_page)
async def preview_outcome(
    request: Request, imports: ImportsOfLibrary, data: StartLibraryImportForm
) -> Response[Any]:
    """What an import would do with other choices than those that the page began with."""
    outcome = await imports.preview_outcome(data.import_id, data.choices)
    context = await _context(request, imports)
    return render_page(request, **context | {"outcome": outcome, "choices": data.choices})


@pages.form(f"{HERE}/undo", Need.NOT_ACTING, on=import_page, flash="import-undoing")
async def undo(imports: ImportsOfLibrary, data: WhichImportForm) -> None:
    """Takes back what an import added, but for what was changed or lent since."""
    await imports.undo(data.import_id)


@pages.form(f"{HERE}/cancel", Need.NOT_ACTING, on=import_page)
async def cancel(imports: ImportsOfLibrary) -> Response[Any]:
    """Stops what runs, forgets what waits, closes a report."""
    flash = await cancel_import(imports)
    return redirect(addresses.import_into(imports.library_id), flash)


async def _context(request: Request, imports: LibraryImports) -> dict[str, Any]:
    library = await imports.library()
    seen = await imports.see_any()
    return {
        "template": "library/import.html",
        "library": library,
        **progress_context(seen, request.now),
        "formats": words.FORMATS,
        "fields": words.FIELDS,
        "outcome": None if seen is None or seen.preview is None else seen.preview.outcome,
        "choices": _default_choices(seen),
        "form": EMPTY,
    }


def _default_choices(seen: LibraryImportStatus | None) -> LibraryImportChoices:
    """Returns what the page begins with: shelves of wishes stay out."""
    shelves = [] if seen is None or seen.preview is None else seen.preview.shelves
    return LibraryImportChoices(without=frozenset(one.name for one in shelves if one.unowned))


pages.include(bring)
