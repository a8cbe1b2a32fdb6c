"""The lifecycle of an import: a file that is kept, started, stopped, undone, and forgotten."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict
from commonroom.imports.tables import ImportRecord, ImportReportRecord, ImportRowsRecord
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    ConditionFailed,
    Ref,
    Retry,
    Store,
    Write,
    check,
    delete,
    equal,
    new,
    one_of,
    put,
    update,
)
from commonroom.texts import clean_line
from commonroom.timers import Timer, timer

MAX_FILE_NAME = 200
IDLE = ("arriving", "ready", "done", "cancelled", "undone")
"""The states in which another file may take an import's place."""

I = TypeVar("I", bound=ImportRecord)  # noqa: E741 - the letter of what it stands for
Current: TypeAlias = Callable[[], Awaitable[I]]
"""Reads the current import, for callers who may see it; refuses everybody else."""

retry = Retry(tries=25, refusal=Conflict)


class ImportKind(Struct, Generic[I], frozen=True, kw_only=True):
    """A room's imports: what is stored of them, and how long."""

    room: str
    record: type[I]
    rows: type[ImportRowsRecord]
    report: type[ImportReportRecord]
    kept_seconds: int = 7 * 24 * 3600
    into: str
    """What is imported into, in a sentence: “this library”."""

    @property
    def run_timer(self) -> str:
        """The kind of timer that works imports through."""
        return f"{self.room}.import"

    @property
    def undo_timer(self) -> str:
        """The kind of timer that undoes them."""
        return f"{self.room}.undo-import"

    @property
    def forget_timer(self) -> str:
        """The kind of timer that deletes them some day."""
        return f"{self.room}.forget-import"

    def key(self, record: I) -> dict[str, Any]:
        """Returns which import something belongs to."""
        place = {name: getattr(record, name) for name in self.record.schema.primary_fields}
        return place | {"import_id": record.import_id}

    def report_at(self, record: I) -> Ref[ImportReportRecord]:
        """Returns where the report of an import is."""
        return self.report.at(import_id=record.import_id)

    def rows_at(self, record: I, part: int) -> Ref[ImportRowsRecord]:
        """Returns where a part of its rows is."""
        return self.rows.at(import_id=record.import_id, part=part)

    def goes_on(self, now: float, record: I) -> Write:
        """That an import is worked through from now on."""
        return put(timer(self.run_timer, now, self.key(record), set_at=now))

    async def find(self, store: Store, waited: Timer) -> I | None:
        """Returns the import that a timer was set for, if it is still there."""
        place = {name: waited.about[name] for name in self.record.schema.primary_fields}
        record = await store.get(self.record.at(**place))
        return None if record is None or record.import_id != waited.about["import_id"] else record


async def keep_file(
    kind: ImportKind[I],
    ctx: Context,
    record: I,
    parts: Iterable[bytes],
    report: ImportReportRecord,
    *,
    conditions: Sequence[Write],
    then: Sequence[Write] = (),
    state: str = "ready",
) -> I:
    """Keeps a file for its owner to look at, in place of one that waits or is over.

    `conditions` must hold when it begins; `then` is written with the last of it.
    """
    await _begin(kind, ctx, record, conditions)
    try:
        for number, part in enumerate(parts):
            rows = kind.rows(**kind.key(record), part=number, rows=part)
            # What clears an import up has not begun as long as it is this file that is kept.
            await ctx.store.write(put(rows), check(record, if_=_arriving(record)))
        arrived = update(record.ref, state=state, if_=_arriving(record))
        await ctx.store.write(put(report), arrived, *then)
    except ConditionFailed:
        raise Conflict("Another file was chosen in the meantime.") from None
    return replace(record, state=state)


@retry
async def start(
    kind: ImportKind[I], ctx: Context, current: Current[I], import_id: str, **choices: Any
) -> I:
    """Lets an import begin that its owner has looked at; one that was given up continues."""
    record = await current()
    if record.import_id != import_id:
        raise Conflict("Another file was chosen in the meantime. Please check its preview first.")
    if record.state == "running":
        await ctx.store.write(kind.goes_on(ctx.now, record))
        return record
    if record.state != "ready":
        raise Conflict(
            "This import is finished."
            if record.finished_at
            else "The file is still being uploaded."
        )
    changes = {"state": "running", "started_at": iso(ctx.now), **choices}
    as_seen = equal(import_id=import_id, state="ready")
    begun = update(record.ref, **changes, if_=as_seen)
    await ctx.store.write(begun, kind.goes_on(ctx.now, record))
    return replace(record, **changes)


@retry
async def cancel(ctx: Context, current: Current[I]) -> None:
    """Stops an import that runs; what it added stays. One that does not run is forgotten."""
    record = await current()
    as_seen = equal(import_id=record.import_id, state=record.state)
    if record.state == "undoing":
        raise Conflict("It is being undone.")
    if record.state == "running":
        stopped = {"state": "cancelled", "finished_at": iso(ctx.now)}
        await ctx.store.write(update(record.ref, **stopped, if_=as_seen))
    else:
        await ctx.store.write(delete(record, if_=as_seen))


@retry
async def undo(kind: ImportKind[I], ctx: Context, current: Current[I], import_id: str) -> I:
    """Takes an import back as a whole; what was changed since stays.

    Undoing one again that is being undone lets it go on where it was given up.
    """
    record = await current()
    if record.import_id != import_id:
        raise Conflict("Another file was chosen, so this import can no longer be undone.")
    if record.state not in ("done", "cancelled", "undoing"):
        raise Conflict("Only a finished import can be undone, and only once.")
    as_seen = equal(import_id=import_id, state=record.state)
    goes_on = put(timer(kind.undo_timer, ctx.now, kind.key(record)))
    await ctx.store.write(update(record.ref, state="undoing", if_=as_seen), goes_on)
    return replace(record, state="undoing")


def clean_file_name(file_name: str) -> str:
    """Returns the file's name without its folder, as far as it can be shown."""
    name = file_name.replace("\\", "/").rpartition("/")[2]
    return clean_line(name)[:MAX_FILE_NAME] or "file"


async def _begin(kind: ImportKind[I], ctx: Context, record: I, conditions: Sequence[Write]) -> None:
    """Takes the place for an import, with the timer that clears it up some day."""
    forgotten = timer(kind.forget_timer, ctx.now + kind.kept_seconds, kind.key(record))
    try:
        await ctx.store.write(
            put(record, if_=new | one_of("state", *IDLE)), put(forgotten), *conditions
        )
    except ConditionFailed as failed:
        if isinstance(failed.entity, kind.record) and failed.entity.state == "undoing":
            raise Conflict("The previous import is still being undone.") from None
        raise Conflict(f"An import into {kind.into} is still running.") from None


def _arriving(record: ImportRecord) -> Condition:
    return equal(import_id=record.import_id, state="arriving")
