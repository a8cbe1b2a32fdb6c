"""Seeing how an import is getting on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.library.rules.formats.rows import Note
from commonroom.library.service.importing.views import ImportPreview, ImportSeen
from commonroom.library.service.reach import own
from commonroom.library.tables import Import, ImportNote, ImportReport
from commonroom.store import Store

_preview = msgspec.json.Decoder(ImportPreview)


async def see_import(store: Store, person: User, library_id: str) -> ImportSeen:
    """The import of a person's own library: three requests."""
    kept = await kept_in(store, person, library_id)
    return seen(kept, await store.get(ImportReport.at(import_id=kept.import_id)))


async def kept_in(store: Store, person: User, library_id: str) -> Import:
    """The import of a person's own library: two requests."""
    library = (await own(store, person, library_id)).library
    place = {"owner_id": library.owner_id, "library_id": library.library_id}
    kept = await store.get(Import.at(**place))
    if kept is None:
        raise NotFound("Nothing is being imported into this library.")
    return kept


def about(kept: Import) -> dict[str, Any]:
    """Which import something belongs to."""
    return {
        "owner_id": kept.owner_id,
        "library_id": kept.library_id,
        "import_id": kept.import_id,
    }


def seen(kept: Import, report: ImportReport | None) -> ImportSeen:
    """An import as its owner is shown it."""
    notes = [] if report is None else report.notes
    return ImportSeen(
        import_id=kept.import_id,
        library_id=kept.library_id,
        file_name=kept.file_name,
        state=kept.state,
        duplicates=kept.duplicates,
        without=kept.without,
        of=kept.of,
        done=kept.added + kept.skipped + kept.failed,
        added=kept.added,
        skipped=kept.skipped,
        failed=kept.failed,
        warned=kept.warned,
        notes=_told(notes),
        preview=None if report is None else _preview.decode(report.preview),
        created_at=kept.created_at,
        started_at=kept.started_at,
        finished_at=kept.finished_at,
        kept_until=kept.kept_until,
        removed=kept.removed,
        kept=kept.kept,
        kept_notes=_told([] if report is None else report.kept),
    )


def _told(notes: Sequence[ImportNote]) -> list[Note]:
    return [Note(one.number, one.field, one.title, one.why) for one in notes]
