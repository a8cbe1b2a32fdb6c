"""The lifecycle of an import: a file that is kept, started, stopped, undone, and forgotten."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, NotFound
from commonroom.imports.kinds import I, ImportKind, R, S, StartChoices, pack_rows
from commonroom.imports.tables import ImportRecord
from commonroom.metering import MeteredThreads
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    ConditionFailed,
    Retry,
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
from commonroom.timers import timer

MAX_FILE_NAME = 200
IDLE = ("arriving", "ready", "done", "cancelled", "undone")
"""The states in which another file may take an import's place."""

AnyImports: TypeAlias = "Imports[Any, Any, Any, Any, Any]"
C = TypeVar("C", bound=StartChoices)
O = TypeVar("O", bound=Struct)  # noqa: E741 - the letter of what it stands for

P = ParamSpec("P")
T = TypeVar("T")

retry = Retry(tries=25, refusal=Conflict)
# Each may take as much memory as its bounds allow: several at once would take several times that.
_reader = MeteredThreads(max_workers=1, thread_name_prefix="imports")


async def read_beside(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Returns what a file holds, read beside the event loop and one request's after the other's."""
    return await asyncio.wrap_future(_reader.submit(read, *args, **kwargs))


class Imports(ABC, Generic[I, R, S, C, O]):
    """The imports into one place, for a caller: there is one at a time.

    A room says who may see it, and what starting it would do.
    """

    kind: ImportKind[I, R, S]

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    @abstractmethod
    async def find(self) -> I | None:
        """Returns the import, where there is one; refuses callers who may not see it."""

    @abstractmethod
    async def count_outcome(self, rows: Iterator[R], choices: C) -> O:
        """Returns what starting an import would do, by its rows."""

    async def current(self) -> I:
        """Returns the import; refuses where there is none."""
        record = await self.find()
        if record is None:
            raise NotFound(self.kind.nothing)
        return record

    async def see(self) -> S:
        """Returns the import as its owner is shown it; refuses where there is none."""
        return await self.show(await self.current())

    async def see_any(self) -> S | None:
        """Returns the import as its owner is shown it, where there is one."""
        record = await self.find()
        return None if record is None else await self.show(record)

    async def show(self, record: I) -> S:
        """Returns an import as its owner is shown it: one request."""
        return self.kind.show(record, await self.ctx.store.get(self.kind.report_at(record)))

    async def keep(
        self,
        record: I,
        rows: Iterable[Struct],
        preview: Struct,
        *,
        conditions: Sequence[Write],
        then: Sequence[Write] = (),
        state: str = "ready",
    ) -> S:
        """Keeps a file for its owner to look at, in place of one that waits or is over.

        `conditions` must hold when it begins; `then` is written with the last of it.
        """
        kind, store, key = self.kind, self.ctx.store, self.kind.key(record)
        report = kind.report(**key, preview=msgspec.json.encode(preview))
        await self._begin(record, conditions)
        try:
            for number, part in enumerate(pack_rows(rows)):
                # What clears an import up has not begun as long as it is this file that is kept.
                still = check(record, if_=_arriving(record))
                await store.write(put(kind.rows(**key, part=number, rows=part)), still)
            arrived = update(record.ref, state=state, if_=_arriving(record))
            await store.write(put(report), arrived, *then)
        except ConditionFailed:
            raise Conflict("Another file was chosen in the meantime.") from None
        return kind.show(replace(record, state=state), report)

    async def preview_outcome(self, import_id: str, choices: C) -> O:
        """What starting an import would do: by its rows, as it is worked through."""
        choices.check()
        record = await self.current()
        if record.import_id != import_id or record.state != "ready":
            raise Conflict("This import was already started or cancelled. Please reload the page.")
        rows = await self.kind.load_rows(self.ctx.store, import_id)
        return await self.count_outcome(rows, choices)

    @retry
    async def start(self, import_id: str, choices: C) -> S:
        """Lets an import begin that its owner has looked at; one that was given up continues."""
        choices.check()
        record, ctx = await self.current(), self.ctx
        if record.import_id != import_id:
            raise Conflict(
                "Another file was chosen in the meantime. Please check its preview first."
            )
        if record.state == "running":
            await ctx.store.write(self.kind.goes_on(ctx.now, record))
            return await self.show(record)
        if record.state != "ready":
            raise Conflict(
                "This import is finished."
                if record.finished_at
                else "The file is still being uploaded."
            )
        changes = {"state": "running", "started_at": iso(ctx.now), **choices.stored}
        as_seen = equal(import_id=import_id, state="ready")
        begun = update(record.ref, **changes, if_=as_seen)
        await ctx.store.write(begun, self.kind.goes_on(ctx.now, record))
        return await self.show(replace(record, **changes))

    @retry
    async def cancel(self) -> None:
        """Stops an import that runs; what it added stays. One that does not run is forgotten."""
        record, ctx = await self.current(), self.ctx
        as_seen = equal(import_id=record.import_id, state=record.state)
        if record.state == "undoing":
            raise Conflict("It is being undone.")
        if record.state == "running":
            stopped = {"state": "cancelled", "finished_at": iso(ctx.now)}
            await ctx.store.write(update(record.ref, **stopped, if_=as_seen))
        else:
            await ctx.store.write(delete(record, if_=as_seen))

    @retry
    async def undo(self, import_id: str) -> S:
        """Takes an import back as a whole; what was changed since stays.

        Undoing one again that is being undone lets it go on where it was given up.
        """
        record, ctx = await self.current(), self.ctx
        if record.import_id != import_id:
            raise Conflict("Another file was chosen, so this import can no longer be undone.")
        if record.state not in ("done", "cancelled", "undoing"):
            raise Conflict("Only a finished import can be undone, and only once.")
        as_seen = equal(import_id=import_id, state=record.state)
        goes_on = put(timer(self.kind.undo_timer, ctx.now, self.kind.key(record)))
        await ctx.store.write(update(record.ref, state="undoing", if_=as_seen), goes_on)
        return await self.show(replace(record, state="undoing"))

    async def _begin(self, record: I, conditions: Sequence[Write]) -> None:
        """Takes the place for an import, with the timer that clears it up some day."""
        kind, ctx = self.kind, self.ctx
        forgotten = timer(kind.forget_timer, ctx.now + kind.kept_seconds, kind.key(record))
        try:
            await ctx.store.write(
                put(record, if_=new | one_of("state", *IDLE)), put(forgotten), *conditions
            )
        except ConditionFailed as failed:
            if isinstance(failed.entity, kind.record) and failed.entity.state == "undoing":
                raise Conflict("The previous import is still being undone.") from None
            raise Conflict(f"An import into {kind.into} is still running.") from None


def clean_file_name(file_name: str) -> str:
    """Returns the file's name without its folder, as far as it can be shown."""
    name = file_name.replace("\\", "/").rpartition("/")[2]
    return clean_line(name)[:MAX_FILE_NAME] or "file"


def _arriving(record: ImportRecord) -> Condition:
    return equal(import_id=record.import_id, state="arriving")
