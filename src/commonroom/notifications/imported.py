"""What an import brought along: people were told of it elsewhere, so timers of before are quiet."""

from __future__ import annotations

from commonroom.moments import is_future
from commonroom.store import Store
from commonroom.store.streams.tables import last_import
from commonroom.timers import Handler, Timer


async def imported_at(store: Store, now: float) -> float | None:
    """Returns when data was last imported; None where it never was."""
    found = await store.get(last_import(consumer="import"))
    return None if found is None or is_future(found.imported_at, now) else found.imported_at


async def was_due_at_import(store: Store, waited: Timer, now: float) -> bool:
    """Whether a timer was past when it was imported: it may have been done where it came from."""
    imported = await imported_at(store, now)
    return imported is not None and waited.moment <= imported


def quiet_after_import(handler: Handler) -> Handler:
    """Does what was due at an import as of the import: what it tells of is listed, and not sent.

    So a house that moves is up to date, and nobody gets the reminders of a week at once.
    """

    async def handle(store: Store, waited: Timer, now: float) -> float | None:
        imported = await imported_at(store, now)
        if imported is not None and waited.moment <= imported:
            now = min(now, imported)
        return await handler(store, waited, now)

    return handle
