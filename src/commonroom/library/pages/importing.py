"""Bringing a file into a library: it is looked at first, and worked through while one looks on."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, MultipartBody
from msgspec import Struct

from commonroom.accounts.errors import Unfit
from commonroom.errors import CommonroomError
from commonroom.library import import_words
from commonroom.library.errors import Conflict, NotHere
from commonroom.library.pages import addresses
from commonroom.library.pages.asking import owned_in
from commonroom.library.pages.showing import again, page
from commonroom.library.rules.formats.errors import Unreadable
from commonroom.library.service import importing
from commonroom.library.service.importing.views import Duplicates, ImportSeen
from commonroom.library.service.libraries import my_libraries
from commonroom.moments import seconds
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import AnyRequest, Cursor, person_in, store_of
from commonroom.web.people.forms import EMPTY, Filled, Form, Line, Sent, Ticked, all_of
from commonroom.web.rendering import to

TEMPLATE = "library/import.html"
HERE = f"{addresses.LIBRARY}/import"
LARGEST_UPLOAD = 2 * importing.LARGEST_FILE
"""What is a little too large is refused in a sentence; only what is far larger by the server."""
BUSY = ("ready", "running")
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


@get(addresses.IMPORT, opt=needs(Need.SIGNED_IN))
async def where_to(request: AnyRequest, cursor: Cursor = None) -> Response[Any]:
    """Into which library? One request."""
    mine = await my_libraries(store_of(request), person_in(request), cursor=cursor)
    return page(request, "library/import_where.html", libraries=mine.items, cursor=mine.cursor)


@get(HERE, opt=needs(Need.THEMSELVES))
async def import_page(request: AnyRequest, library_id: FromPath[str]) -> Response[Any]:
    """What a file would bring, how far it is, or what came of it."""
    return page(request, TEMPLATE, **await _context(request, library_id), form=EMPTY)


@post(HERE, opt=needs(Need.THEMSELVES), status_code=200, request_max_body_size=LARGEST_UPLOAD)
async def bring(
    request: AnyRequest, library_id: FromPath[str], data: MultipartBody[Upload]
) -> Response[Any]:
    """Looks at a file and keeps it until somebody says that it is the right one."""
    store, person = store_of(request), person_in(request)
    content, name = await data.file.read(), data.file.filename
    try:
        await importing.prepare(
            store, time.time(), person, library_id, file=content, file_name=name
        )
    except (Unreadable, Conflict) as error:
        return await _refused(request, library_id, error)
    return to(addresses.import_into(library_id))


@post(f"{HERE}/start", opt=needs(Need.THEMSELVES), status_code=200)
async def begin(
    request: AnyRequest, library_id: FromPath[str], data: Sent[StartForm]
) -> Response[Any]:
    """Begins; what was looked at before is what is brought in, or nothing is."""
    try:
        await importing.start(
            store_of(request),
            time.time(),
            person_in(request),
            library_id,
            data.import_id,
            duplicates=data.duplicates,
            without=all_of(data.without),
        )
    except (Unfit, Conflict) as error:
        return await _refused(request, library_id, error)
    said = "import-goes-on" if data.goes_on else "import-started"
    return to(addresses.import_into(library_id), said)


@post(f"{HERE}/cancel", opt=needs(Need.THEMSELVES), status_code=200)
async def cancel(request: AnyRequest, library_id: FromPath[str]) -> Response[Any]:
    """Stops what runs, forgets what waits, closes a report."""
    library = (await owned_in(request, library_id)).library
    here = addresses.import_into(library.library_id)
    before = await _seen(request, library_id)
    if before is None:
        return to(here)
    await importing.cancel(store_of(request), time.time(), person_in(request), library_id)
    said = {"running": "import-stopped", "done": "report-closed", "cancelled": "report-closed"}
    return to(here, said.get(before.state, "import-forgotten"))


async def _refused(request: AnyRequest, library_id: str, error: CommonroomError) -> Response[Any]:
    context = await _context(request, library_id)
    seen: ImportSeen | None = context["seen"]
    # Where another file waits or runs, there is no field that this could stand beside.
    is_field = isinstance(error, Unreadable) and (seen is None or seen.state not in BUSY)
    form = Filled(field="file" if is_field else None, message=error.detail)
    return again(request, TEMPLATE, error, **context, form=form)


async def _context(request: AnyRequest, library_id: str) -> dict[str, Any]:
    library = (await owned_in(request, library_id)).library
    seen = await _seen(request, library_id)
    return {
        "library": library,
        "seen": seen,
        "percent": _percent(seen),
        "told_percent": _percent(seen) // STEP * STEP,
        "is_slow": _is_slow(seen, time.time()),
        "formats": import_words.FORMATS,
    }


async def _seen(request: AnyRequest, library_id: str) -> ImportSeen | None:
    try:
        return await importing.see_import(store_of(request), person_in(request), library_id)
    except NotHere:
        return None


def _percent(seen: ImportSeen | None) -> int:
    return 0 if seen is None or not seen.of else 100 * seen.done // seen.of


def _is_slow(seen: ImportSeen | None, now: float) -> bool:
    """Whether it has run so long that it may have been given up; nobody is told when it is."""
    if seen is None or seen.state != "running" or seen.started_at is None:
        return False
    return now - seconds(seen.started_at) > SLOW_SECONDS


HANDLERS = [where_to, import_page, bring, begin, cancel]
