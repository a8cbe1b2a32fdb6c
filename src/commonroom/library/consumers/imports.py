"""Imports: worked through by a timer, and cleared up however they end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from commonroom.errors import NotFound
from commonroom.library.service.imports.lifecycle import FORGET, RUN, UNDO
from commonroom.library.service.imports.undo import undo_import
from commonroom.library.service.imports.worker import run_import
from commonroom.library.tables import Import, import_contents, import_rows
from commonroom.store import ConditionFailed, Store, StoreError, delete, equal, unequal
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer

OVER = ("done", "cancelled", "undoing", "undone")
LATER_SECONDS = 24 * 3600
"""After how long an import that should be forgotten while it is undone is looked at again."""


Work: TypeAlias = Callable[[Store, float, Import], Awaitable[None]]


async def continue_import(store: Store, waited: Timer, now: float) -> float | None:
    """Does some more of an import that runs; asks to be called again while there is more."""
    return await _go_on(store, waited, now, run_import, "running")


async def continue_undo(store: Store, waited: Timer, now: float) -> float | None:
    """Takes some more of an import back; asks to be called again while there is more."""
    return await _go_on(store, waited, now, undo_import, "undoing")


async def _go_on(
    store: Store, waited: Timer, now: float, do_some: Work, state: str
) -> float | None:
    """Does some of an import while it is in a state.

    Trouble counts as a failure only where nothing was done before it: a long import would otherwise
    be given up for what a short one never meets.
    """
    kept = await _import(store, waited)
    if kept is None or kept.state != state:
        return None
    trouble: StoreError | None = None
    try:
        await do_some(store, now, kept)
    except NotFound:
        return None  # the library, or the account, and everything in it is being deleted
    except StoreError as error:
        trouble = error
    left = await _import(store, waited)
    if left is None or left.state != state:
        return None
    if trouble is not None and _how_far(left) == _how_far(kept):
        raise trouble
    return now


def _how_far(kept: Import) -> tuple[int, int, str | None]:
    return kept.part, kept.place, kept.undone_to


async def forget_import(store: Store, waited: Timer, now: float) -> float | None:
    """Deletes an import that was kept long enough; what it holds follows.

    One that is just being undone is undone first: half of it would be neither here nor there.
    """
    kept = await _import(store, waited)
    if kept is None:
        return None
    try:
        idle = equal(import_id=kept.import_id) & unequal(state="undoing")
        await store.write(delete(kept, if_=idle))
    except ConditionFailed:
        return now + LATER_SECONDS
    return None


async def clear_import(store: Store, change: Change) -> None:
    """Deletes the rows of an import that is over, and everything of one that is gone."""
    before: Import | None = change.old
    after: Import | None = change.new
    if before is None:
        return
    if after is None or after.import_id != before.import_id:
        await store.delete_all(import_contents(import_id=before.import_id))
    elif after.state in OVER and before.state not in OVER:
        await store.delete_all(import_rows(import_id=before.import_id))


async def _import(store: Store, waited: Timer) -> Import | None:
    about = waited.about
    place = {"owner_id": about["owner_id"], "library_id": about["library_id"]}
    kept = await store.get(Import.at(**place))
    return None if kept is None or kept.import_id != about["import_id"] else kept


IMPORTS = Consumer(name="library-imports", wants=(Import,), handle=clear_import)

HANDLERS: dict[str, Handler] = {RUN: continue_import, UNDO: continue_undo, FORGET: forget_import}
