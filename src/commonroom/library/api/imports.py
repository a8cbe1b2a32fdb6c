"""Importing a file into a library: sent and looked at, then started, then followed."""

from __future__ import annotations

from typing import Annotated, TypeAlias
from urllib.parse import unquote

import msgspec
from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx, File, Header
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.imports.files import MAX_FILE
from commonroom.library.service.imports import (
    Duplicates,
    LibraryImportChoices,
    LibraryImportOutcome,
    LibraryImportPreview,
    LibraryImportStatus,
    lifecycle,
)

HERE = "/libraries/{library_id:str}/import"
TYPES = (
    "text/csv",
    "text/tab-separated-values",
    "text/plain",
    "application/json",
    "application/octet-stream",
)

SentFile: TypeAlias = Annotated[bytes, File(MAX_FILE, TYPES)]
FileName: TypeAlias = Annotated[
    str | None,
    Header(
        "X-File-Name", "The file’s name, as shown to people; may be percent-encoded.", longest=1000
    ),
]


api = Operations("Library: import", errors=(404, 409))


class ImportUndo(Body):
    """Which import is to be undone."""

    import_id: Annotated[str, Meta(max_length=100, description="The import that was previewed.")]


class ImportStart(Body):
    """How an import is to go."""

    import_id: Annotated[str, Meta(max_length=100, description="The import that was previewed.")]
    duplicates: Annotated[
        Duplicates, Meta(description="What to do with items that are already in the library.")
    ] = "skip"
    without: Annotated[
        list[Annotated[str, Meta(max_length=100)]],
        Meta(max_length=50, description="Shelves of the other service to skip."),
    ] = msgspec.field(default_factory=list)


@api.post(f"{HERE}/preview", Need.NOT_ACTING, status=200, errors=(404,))
async def preview_import(ctx: Ctx, library_id: str, file: SentFile) -> LibraryImportPreview:
    """See what importing a file would do; nothing is kept of it.

    Files are those that Goodreads, LibraryThing (also as JSON), StoryGraph and Libib export, and
    our own CSV and JSON: at most 8 MB and 20,000 rows, sent as they are. Which it is, is known by
    its header.
    """
    return await lifecycle.preview_file(ctx, library_id, file=file)


@api.post(HERE, Need.NOT_ACTING)
async def prepare_import(
    ctx: Ctx, library_id: str, name: FileName, file: SentFile
) -> LibraryImportStatus:
    """Send a file to be imported; it waits for `start`, and takes the place of one that waited.

    409 while an import into this library is running.
    """
    return await lifecycle.prepare(ctx, library_id, file=file, file_name=unquote(name or "file"))


@api.post(f"{HERE}/outcome", Need.NOT_ACTING, status=200)
async def preview_import_outcome(
    ctx: Ctx, library_id: str, how: ImportStart
) -> LibraryImportOutcome:
    """See what starting an import in this way would do, row by row as it would be worked through.

    Nothing is done.
    """
    choices = LibraryImportChoices(how.duplicates, frozenset(how.without))
    return await lifecycle.preview_outcome(ctx, library_id, how.import_id, choices)


@api.post(f"{HERE}/undo", Need.NOT_ACTING, status=202)
async def undo_import(ctx: Ctx, library_id: str, which: ImportUndo) -> LibraryImportStatus:
    """Undo an import as a whole; it goes on by itself.

    What was changed or lent since stays, and is named in `kept_notes`. It can be done as long as
    the import is kept, and no other file took its place.
    """
    return await lifecycle.undo(ctx, library_id, which.import_id)


@api.post(f"{HERE}/start", Need.NOT_ACTING, status=202)
async def start_import(ctx: Ctx, library_id: str, how: ImportStart) -> LibraryImportStatus:
    """Start an import that was sent; it goes on by itself.

    Starting one again that is running lets it go on where it was given up.
    """
    return await lifecycle.start(
        ctx, library_id, how.import_id, duplicates=how.duplicates, without=how.without
    )


@api.get(HERE, Need.NOT_ACTING, errors=(404,))
async def get_import(ctx: Ctx, library_id: str) -> LibraryImportStatus:
    """See how an import is getting on, or what came of it: for seven days."""
    return await lifecycle.see_import(ctx, library_id)


@api.delete(HERE, Need.NOT_ACTING)
async def cancel_import(ctx: Ctx, library_id: str) -> None:
    """Stop an import that is running; what it added stays. One that is not is forgotten."""
    await lifecycle.cancel(ctx, library_id)
