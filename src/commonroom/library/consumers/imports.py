"""Imports: worked through by a timer, and cleared up however they end."""

from __future__ import annotations

from contextlib import suppress

from commonroom.library.errors import NotHere
from commonroom.library.service.importing.keeping import FORGET
from commonroom.library.service.importing.running import GO_ON
from commonroom.library.service.importing.working import work
from commonroom.library.tables import Import, import_contents, import_rows
from commonroom.store import ConditionFailed, Store, StoreError, clear, delete, equal
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer

OVER = ("done", "cancelled")


async def go_on_importing(store: Store, waited: Timer, now: float) -> float | None:
    """Does some more of an import that runs; asks to be called again while there is more.

    Trouble counts as a failure only where nothing was done before it: a long import would otherwise
    be given up for what a short one never meets.
    """
    kept = await _import(store, waited)
    if kept is None or kept.state != "running":
        return None
    trouble: StoreError | None = None
    try:
        await work(store, now, kept)
    except NotHere:
        return None  # the library, or the account, and everything in it is being deleted
    except StoreError as error:
        trouble = error
    left = await _import(store, waited)
    if left is None or left.state != "running":
        return None
    if trouble is not None and (left.part, left.place) == (kept.part, kept.place):
        raise trouble
    return now


async def forget_import(store: Store, waited: Timer, _now: float) -> None:
    """Deletes an import that was kept long enough; what it holds follows."""
    kept = await _import(store, waited)
    if kept is not None:
        with suppress(ConditionFailed):
            await store.write(delete(kept, if_=equal(import_id=kept.import_id)))


async def clear_import(store: Store, change: Change) -> None:
    """Deletes the rows of an import that is over, and everything of one that is gone."""
    before: Import | None = change.old
    after: Import | None = change.new
    if before is None:
        return
    if after is None or after.import_id != before.import_id:
        await clear(store, import_contents(import_id=before.import_id))
    elif after.state in OVER and before.state not in OVER:
        await clear(store, import_rows(import_id=before.import_id))


async def _import(store: Store, waited: Timer) -> Import | None:
    about = waited.about
    place = {"owner_id": about["owner_id"], "library_id": about["library_id"]}
    kept = await store.get(Import.at(**place))
    return None if kept is None or kept.import_id != about["import_id"] else kept


IMPORTS = Consumer(name="library-imports", wants=(Import,), handle=clear_import)

HANDLERS: dict[str, Handler] = {GO_ON: go_on_importing, FORGET: forget_import}
