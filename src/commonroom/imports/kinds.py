"""What the imports of a room are: what is stored and shown of them, and how rows are packed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from commonroom.accounts.context import Context
from commonroom.imports.files import Note, ParsedFiles, as_many_as_fit
from commonroom.imports.tables import (
    ImportRecord,
    ImportReportRecord,
    ImportRowsRecord,
    State,
)
from commonroom.moments import iso
from commonroom.store import BoundPattern, Ref, Store, Write, append, put, update
from commonroom.timers import Timer, timer

MAX_NOTES = 100
"""Of rows while they are worked on, and again while they are undone."""
PART_ROWS = 200
PART_BYTES = 200_000

Contents: TypeAlias = Callable[..., BoundPattern[Any]]
"""Finds what is kept of an import, by its id."""


class ImportedRow(Protocol):
    """A row, as far as a note about it needs to know."""

    @property
    def number(self) -> int:
        """Where it stands in its file."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def file(self) -> str | None:
        """In which file it stands, where there are several."""


class ImportPreview(Struct, frozen=True, kw_only=True):
    """What an import would do; lists are cut to what a page can show, numbers are whole."""

    bad: list[Note]
    """Rows that cannot be read, and why."""
    bad_count: int
    warnings: list[Note]
    """What is left out of rows that can be read."""
    warning_count: int
    unkept: list[str] = []
    """What is in the files and has no place here, such as the names of columns."""
    repaired: int = 0
    """How many characters were not written as the rest of their file is, and had to be guessed."""


class ImportStatus(Struct, frozen=True, kw_only=True):
    """An import as it is now."""

    import_id: str
    file_name: str
    state: State
    without: list[str]
    """What is left out."""
    of: int
    """How many items or rows there are; `done` of them were worked on."""
    done: int
    added: int
    """How many brought something."""
    skipped: int
    failed: int
    notes: list[Note]
    """What there is to say of rows that were worked on; the first of them."""
    created_at: str
    started_at: str | None
    finished_at: str | None
    kept_until: str
    removed: int = 0
    """How many undoing it has taken back."""
    kept: int = 0
    """How many it has left, because they were changed since."""
    kept_notes: list[Note] = []
    """Which these are; the first of them."""

    @property
    def can_be_undone(self) -> bool:
        """Whether there is something to undo, and nothing that is still under way."""
        return self.state in ("done", "cancelled") and self.added > 0


def said_of(found: ParsedFiles) -> dict[str, Any]:
    """Returns what a preview says of files, whatever the room."""
    return {
        "bad": as_many_as_fit(found.bad),
        "bad_count": found.bad.total,
        "warnings": as_many_as_fit(found.warnings),
        "warning_count": found.warnings.total,
        "unkept": found.unkept,
        "repaired": found.repaired,
    }


class StartChoices(Struct, frozen=True, kw_only=True):
    """What its owner chooses about an import; each is stored with it under its name."""

    without: frozenset[str] = frozenset()
    """What is left out."""

    @classmethod
    def of(cls, chosen: Any, without: Iterable[str]) -> Self:
        """Returns the choices of a form, a request, or an import that was started with them."""
        named = (name for name in cls.__struct_fields__ if name != "without")
        return cls(without=frozenset(without), **{name: getattr(chosen, name) for name in named})

    def check(self) -> None:
        """Refuses choices that no page would offer."""

    @property
    def stored(self) -> dict[str, Any]:
        """The fields of an import that hold them."""
        return asdict(self) | {"without": sorted(self.without)}


I = TypeVar("I", bound=ImportRecord)  # noqa: E741 - the letter of what it stands for
R = TypeVar("R", bound=ImportedRow)
S = TypeVar("S", bound=ImportStatus)


class ImportKind(Struct, Generic[I, R, S], frozen=True, kw_only=True):
    """A room's imports: what is stored and shown of them, and how long."""

    room: str
    into: str
    """What is imported into, in a sentence: “this library”."""
    nothing: str
    """What the caller is told where there is no import."""
    kept_seconds: int = 7 * 24 * 3600

    record: type[I]
    rows: type[ImportRowsRecord]
    report: type[ImportReportRecord]
    contents: Contents
    """All that is kept of an import beside its record."""
    parts: Contents
    """Its rows alone."""

    row: type[R]
    preview: type[ImportPreview]
    status: type[S]
    """What its owner is shown of it."""

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

    def new_record(self, ctx: Context, **fields: Any) -> I:
        """Returns an import whose file is about to be kept."""
        return self.record(
            account_id=ctx.person.user_id,
            state="arriving",
            created_at=iso(ctx.now),
            kept_until=iso(ctx.now + self.kept_seconds),
            **fields,
        )

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

    def kept_notes(self, record: I, notes: Sequence[Note]) -> list[Write]:
        """Returns what is written of what undoing leaves, as far as a report has room for it."""
        shown = notes[: max(0, MAX_NOTES - record.kept)]
        return [update(self.report_at(record), kept=append(*shown))] if shown else []

    def unpack_rows(self, part: bytes) -> list[R]:
        """Returns the rows of a part."""
        rows: list[R] = msgspec.json.decode(unpack(part), type=list[self.row])  # type: ignore[name-defined]
        return rows

    async def load_rows(self, store: Store, import_id: str) -> Iterator[R]:
        """Returns all rows of an import, which are unpacked one part after the other."""
        parts = [one.rows async for one in store.all(self.parts(import_id=import_id))]
        return (row for part in parts for row in self.unpack_rows(part))

    def show(self, record: I, report: ImportReportRecord | None) -> S:
        """Returns an import as its owner is shown it: the fields of its status by their names."""
        shown: dict[str, Any] = {"preview": None, "notes": [], "kept_notes": []}
        if report is not None:
            preview = msgspec.json.decode(report.preview, type=self.preview)
            shown = {"preview": preview, "notes": report.notes, "kept_notes": report.kept}
        others = (name for name in self.status.__struct_fields__ if name not in shown)
        return self.status(**shown, **{name: getattr(record, name) for name in others})

    async def find(self, store: Store, waited: Timer) -> I | None:
        """Returns the import that a timer was set for, if it is still there."""
        place = {name: waited.about[name] for name in self.record.schema.primary_fields}
        record = await store.get(self.record.at(**place))
        return None if record is None or record.import_id != waited.about["import_id"] else record


def pack_rows(rows: Iterable[Struct]) -> Iterator[bytes]:
    """Rows in parts that are far smaller than an item may be."""
    lines: list[bytes] = []
    size = 0
    for row in rows:
        line = msgspec.json.encode(row)
        if lines and (len(lines) == PART_ROWS or size + len(line) > PART_BYTES):
            yield _compress(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield _compress(lines)


def pack_part(rows: Iterable[Struct]) -> bytes:
    """Rows of one part, once more was found out about them: they stay together."""
    return _compress([msgspec.json.encode(row) for row in rows])


def unpack(part: bytes) -> bytes:
    """Returns the rows of a part as a list in JSON."""
    return zlib.decompress(part)


def _compress(lines: Sequence[bytes]) -> bytes:
    """Rows repeat themselves: packed, they cost a fraction of the space, here and in streams."""
    return zlib.compress(b"[" + b",".join(lines) + b"]")
