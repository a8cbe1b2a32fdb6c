"""Bringing a file into a library: it is looked at first, and worked through while one looks on."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, MultipartBody
from msgspec import Struct

from commonroom.errors import CommonroomError, Conflict, InvalidField, NotFound
from commonroom.library import words
from commonroom.library.pages import addresses
from commonroom.library.pages.page import owned_in, render_page, render_refused_page
from commonroom.library.rules.formats import files
from commonroom.library.rules.formats.rows import UnreadableFile
from commonroom.library.service.imports import lifecycle, uploads
from commonroom.library.service.imports.views import Choices, Duplicates, ImportSeen
from commonroom.library.service.libraries import my_libraries
from commonroom.moments import seconds
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled, Form, Line, Sent, Ticked, all_of
from commonroom.web.redirects import redirect
from commonroom.web.request import Cursor, Request

TEMPLATE = "library/import.html"
HERE = f"{addresses.LIBRARY}/import"
LARGEST_UPLOAD = 2 * files.LARGEST_FILE
"""What is a little too large is refused in a sentence; only what is far larger by the server."""
BUSY = ("ready", "running", "undoing")
WAITING = ("arriving", "ready")
SLOW_SECONDS = 120
STEP = 25
"""After how many percent somebody who listens is told how far it is."""


class Upload(Struct):
    """A file as a browser sends it."""

    file: UploadFile


class StartForm(Form):
    """What happens to things that are there already, and which shelves are left out."""

    import_id: Line
    duplicates: Duplicates = "skip"
    without: Ticked = ""
    goes_on: bool = False
    """Whether it began before, and stands still."""


class UndoForm(Form):
    """Which import is undone."""

    import_id: Line


@get(addresses.IMPORT, opt=needs(Need.SIGNED_IN))
async def where_to(request: Request, cursor: Cursor = None) -> Response[Any]:
    """Into which library? One request."""
    mine = await my_libraries(request.store, request.person, cursor=cursor)
    return render_page(
        request, "library/import_where.html", libraries=mine.items, cursor=mine.cursor
    )


@get(HERE, opt=needs(Need.THEMSELVES))
async def import_page(request: Request, library_id: FromPath[str]) -> Response[Any]:
    """What a file would bring, how far it is, or what came of it."""
    return render_page(request, TEMPLATE, **await _context(request, library_id), form=EMPTY)


@post(HERE, opt=needs(Need.THEMSELVES), status_code=200, request_max_body_size=LARGEST_UPLOAD)
async def bring(
    request: Request, library_id: FromPath[str], data: MultipartBody[Upload]
) -> Response[Any]:
    """Looks at a file and keeps it until somebody says that it is the right one."""
    store, person = request.store, request.person
    content, name = await data.file.read(), data.file.filename
    try:
        await uploads.prepare(store, time.time(), person, library_id, file=content, file_name=name)
    except (UnreadableFile, Conflict) as error:
        return await _refused(request, library_id, error)
    return redirect(addresses.import_into(library_id))


@post(f"{HERE}/start", opt=needs(Need.THEMSELVES), status_code=200)
async def begin(
    request: Request, library_id: FromPath[str], data: Sent[StartForm]
) -> Response[Any]:
    """Begins; what was looked at before is what is brought in, or nothing is."""
    try:
        await lifecycle.start(
            request.store,
            time.time(),
            request.person,
            library_id,
            data.import_id,
            duplicates=data.duplicates,
            without=all_of(data.without),
        )
    except (InvalidField, Conflict) as error:
        return await _refused(request, library_id, error)
    said = "import-goes-on" if data.goes_on else "import-started"
    return redirect(addresses.import_into(library_id), said)


@post(f"{HERE}/outcome", opt=needs(Need.THEMSELVES), status_code=200)
async def foresee(
    request: Request, library_id: FromPath[str], data: Sent[StartForm]
) -> Response[Any]:
    """What an import would do with other choices than those that the page began with."""
    choices = Choices(data.duplicates, frozenset(all_of(data.without)))
    try:
        outcome = await uploads.predict_outcome(
            request.store, request.person, library_id, data.import_id, choices
        )
    except Conflict as error:
        return await _refused(request, library_id, error)
    context = await _context(request, library_id) | {"outcome": outcome, "choices": choices}
    return render_page(request, TEMPLATE, **context, form=EMPTY)


@post(f"{HERE}/undo", opt=needs(Need.THEMSELVES), status_code=200)
async def undo(request: Request, library_id: FromPath[str], data: Sent[UndoForm]) -> Response[Any]:
    """Takes back what an import added, but for what was changed or lent since."""
    try:
        await lifecycle.undo(request.store, time.time(), request.person, library_id, data.import_id)
    except Conflict as error:
        return await _refused(request, library_id, error)
    return redirect(addresses.import_into(library_id), "import-undoing")


@get(
    [f"{HERE}/{deed}" for deed in ("start", "outcome", "undo", "cancel")],
    opt=needs(Need.THEMSELVES),
    sync_to_thread=False,
)
def back_to_import(library_id: FromPath[str]) -> Response[Any]:
    """For whoever opens the address of a form that was refused."""
    return redirect(addresses.import_into(library_id))


@post(f"{HERE}/cancel", opt=needs(Need.THEMSELVES), status_code=200)
async def cancel(request: Request, library_id: FromPath[str]) -> Response[Any]:
    """Stops what runs, forgets what waits, closes a report."""
    library = (await owned_in(request, library_id)).library
    here = addresses.import_into(library.library_id)
    before = await _seen(request, library_id)
    if before is None:
        return redirect(here)
    try:
        await lifecycle.cancel(request.store, time.time(), request.person, library_id)
    except Conflict as error:
        return await _refused(request, library_id, error)
    if before.state == "running":
        return redirect(here, "import-stopped")
    return redirect(here, "import-forgotten" if before.state in WAITING else "report-closed")


async def _refused(request: Request, library_id: str, error: CommonroomError) -> Response[Any]:
    context = await _context(request, library_id)
    seen: ImportSeen | None = context["seen"]
    # Where another file waits or runs, there is no field that this could stand beside.
    is_field = isinstance(error, UnreadableFile) and (seen is None or seen.state not in BUSY)
    form = (
        Filled(errors={"file": error.detail}) if is_field else Filled(wrong_altogether=error.detail)
    )
    return render_refused_page(request, TEMPLATE, error, **context, form=form)


async def _context(request: Request, library_id: str) -> dict[str, Any]:
    library = (await owned_in(request, library_id)).library
    seen = await _seen(request, library_id)
    return {
        "library": library,
        "seen": seen,
        "percent": _percent(seen),
        "told_percent": _percent(seen) // STEP * STEP,
        "is_slow": _is_slow(seen, time.time()),
        "formats": words.FORMATS,
        "fields": words.FIELDS,
        "outcome": None if seen is None or seen.preview is None else seen.preview.outcome,
        "choices": _default_choices(seen),
    }


def _default_choices(seen: ImportSeen | None) -> Choices:
    """What the page begins with: shelves of wishes stay out."""
    shelves = [] if seen is None or seen.preview is None else seen.preview.shelves
    return Choices(without=frozenset(one.name for one in shelves if one.unowned))


async def _seen(request: Request, library_id: str) -> ImportSeen | None:
    try:
        return await lifecycle.see_import(request.store, request.person, library_id)
    except NotFound:
        return None


def _percent(seen: ImportSeen | None) -> int:
    if seen is None:
        return 0
    if seen.state == "undoing":
        return 100 * (seen.removed + seen.kept) // max(1, seen.added)
    return 100 * seen.done // max(1, seen.of)


def _is_slow(seen: ImportSeen | None, now: float) -> bool:
    """Whether it has run so long that it may have been given up; nobody is told when it is."""
    if seen is None:
        return False
    since = {"running": seen.started_at, "undoing": seen.finished_at}.get(seen.state)
    return since is not None and now - seconds(since) > SLOW_SECONDS


HANDLERS = [where_to, import_page, bring, foresee, begin, undo, cancel, back_to_import]
