"""Importing a file into a library: sent and looked at, then started, then followed."""

from __future__ import annotations

from typing import Annotated, TypeAlias
from urllib.parse import unquote

import msgspec
from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.arguments import File, Header
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.imports.files import MAX_FILE
from commonroom.library.request import ImportsOfLibrary
from commonroom.library.service.imports import (
    Duplicates,
    LibraryImportChoices,
    LibraryImportOutcome,
    LibraryImportPreview,
    LibraryImportStatus,
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

    @property
    def choices(self) -> LibraryImportChoices:
        """Returns the choices as the service takes them."""
        return LibraryImportChoices.of(self, self.without)


@api.post(f"{HERE}/preview", Need.NOT_ACTING, status=200, errors=(404,))
async def preview_import(imports: ImportsOfLibrary, file: SentFile) -> LibraryImportPreview:
    """See what importing a file would do; nothing is kept of it.

    Files are those that Goodreads, LibraryThing (also as JSON), StoryGraph and Libib export, and
    our own CSV and JSON: at most 8 MB and 20,000 rows, sent as they are. Which it is, is known by
    its header.
    """
    return await imports.preview_file(file)


@api.post(HERE, Need.NOT_ACTING)
async def prepare_import(
    imports: ImportsOfLibrary, name: FileName, file: SentFile
) -> LibraryImportStatus:
    """Send a file to be imported; it waits for `start`, and takes the place of one that waited.

    409 while an import into this library is running.
    """
    return await imports.prepare(file, unquote(name or "file"))


@api.post(f"{HERE}/outcome", Need.NOT_ACTING, status=200)
async def preview_import_outcome(
    imports: ImportsOfLibrary, how: ImportStart
) -> LibraryImportOutcome:
    """See what starting an import in this way would do, row by row as it would be worked through.

    Nothing is done.
    """
    return await imports.preview_outcome(how.import_id, how.choices)


@api.post(f"{HERE}/undo", Need.NOT_ACTING, status=202)
async def undo_import(imports: ImportsOfLibrary, which: ImportUndo) -> LibraryImportStatus:
    """Undo an import as a whole; it goes on by itself.

    What was changed or lent since stays, and is named in `kept_notes`. It can be done as long as
    the import is kept, and no other file took its place.
    """
    return await imports.undo(which.import_id)


@api.post(f"{HERE}/start", Need.NOT_ACTING, status=202)
async def start_import(imports: ImportsOfLibrary, how: ImportStart) -> LibraryImportStatus:
    """Start an import that was sent; it goes on by itself.

    Starting one again that is running lets it go on where it was given up.
    """
    return await imports.start(how.import_id, how.choices)


@api.get(HERE, Need.NOT_ACTING, errors=(404,))
async def get_import(imports: ImportsOfLibrary) -> LibraryImportStatus:
    """See how an import is getting on, or what came of it: for seven days."""
    return await imports.see()


@api.delete(HERE, Need.NOT_ACTING)
async def cancel_import(imports: ImportsOfLibrary) -> None:
    """Stop an import that is running; what it added stays. One that is not is forgotten."""
    await imports.cancel()
