"""What happens to imports later: worked through by timers, and cleared up however they end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.imports.kinds import I, ImportKind, R, S
from commonroom.store import (
    ConditionFailed,
    Store,
    StoreError,
    delete,
    equal,
    unequal,
)
from commonroom.store.streams import Change, Consumer
from commonroom.timers import ActTimer, Handler, Timer

OVER = ("done", "cancelled", "undoing", "undone")
LATER_SECONDS = 24 * 3600
"""After how long an import that should be forgotten while it is undone is looked at again."""

Work: TypeAlias = Callable[[Context, I], Awaitable[None]]
"""Does some of what there is to do for an import, as the person whose it is."""


def import_handlers(kind: ImportKind[I, R, S], run: Work[I], undo: Work[I]) -> dict[str, Handler]:
    """Returns what timers do for a room's imports."""
    return {
        kind.run_timer: ActTimer(continuing(kind, run, "running"), (kind.record,)),
        kind.undo_timer: ActTimer(continuing(kind, undo, "undoing"), (kind.record,)),
        kind.forget_timer: ActTimer(_forgetting(kind), (kind.record,)),
    }


def import_consumer(kind: ImportKind[I, R, S]) -> Consumer:
    """Returns the consumer of a room's imports."""

    async def clear(store: Store, change: Change) -> None:
        """Deletes the rows of an import that is over, and everything of one that is gone."""
        before: I | None = change.old
        after: I | None = change.new
        if before is None:
            return
        if after is None or after.import_id != before.import_id:
            await store.delete_all(kind.contents(import_id=before.import_id))
        elif after.state in OVER and before.state not in OVER:
            await store.delete_all(kind.parts(import_id=before.import_id))

    return Consumer(name=f"{kind.room}-imports", wants=(kind.record,), handle=clear)


def continuing(kind: ImportKind[I, R, S], work: Work[I], state: str) -> Handler:
    """Does some more of an import while it is in a state, and asks to be called again.

    Trouble counts as a failure only where nothing was done before it: a long import would otherwise
    be given up for what a short one never meets.
    """

    async def handle(store: Store, waited: Timer, now: float) -> float | None:
        """Does some more of an import, or of undoing it, and asks to be called again."""
        record = await kind.find(store, waited)
        if record is None or record.state != state:
            return None
        person = await store.get(User.at(user_id=record.account_id))
        if person is None:
            return None
        trouble: StoreError | None = None
        try:
            await work(Context(store, person, now), record)
        except NotFound:
            return None  # what it goes into, or the account, is being deleted
        except StoreError as error:
            trouble = error
        left = await kind.find(store, waited)
        if left is None or left.state != state:
            return None
        if trouble is not None and _how_far(left) == _how_far(record):
            raise trouble
        return now

    return handle


def _forgetting(kind: ImportKind[I, R, S]) -> Handler:
    async def handle(store: Store, waited: Timer, now: float) -> float | None:
        """Deletes an import that was kept long enough; what it holds follows.

        One that is just being undone is undone first: half of it would be neither here nor there.
        """
        record = await kind.find(store, waited)
        if record is None:
            return None
        try:
            idle = equal(import_id=record.import_id) & unequal(state="undoing")
            await store.write(delete(record, if_=idle))
        except ConditionFailed:
            return now + LATER_SECONDS
        return None

    return handle


def _how_far(record: I) -> tuple[int, int, str | None]:
    return record.part, record.place, record.undone_to
