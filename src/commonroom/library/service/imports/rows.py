"""Rows of an import, and what is written for each: an item, its loan, its history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.accounts.context import Context
from commonroom.library.rules.formats import KINDS, EventRead, LibraryRow
from commonroom.library.rules.loans import overdue_from
from commonroom.library.service.item_writes import loan_writes
from commonroom.library.service.items import ItemOrigin, NewLibraryItem, new_item
from commonroom.library.tables import Book, LibraryImport, LoanEvent, Video
from commonroom.moments import iso
from commonroom.store import Write, put
from commonroom.store.limits import REQUEST_OPERATIONS

MAX_TOGETHER = 25
FIRST_COLLECTION = 0x80000000
SHARED_WRITES = 4
"""What rows that come together have in common: the library, its owner, the import, its report."""


def next_batch(rows: Sequence[LibraryRow]) -> Sequence[LibraryRow]:
    """Returns the first row, and as many items behind it as fit into one transaction with it."""
    number, writes = 1, SHARED_WRITES + _most_writes(rows[0])
    for row in rows[1:MAX_TOGETHER] if rows[0].is_item else ():
        writes += _most_writes(row)
        if not row.is_item or writes > REQUEST_OPERATIONS:
            break
        number += 1
    return rows[:number]


def item_from_row(
    ctx: Context, kept: LibraryImport, row: LibraryRow, collection_id: str | None
) -> NewLibraryItem:
    """Returns the item that a row becomes."""
    slot = {"collection_id": collection_id, "order": row.order} if collection_id else {}
    fields = _loan(ctx, row)
    told = [*row.events, *_begun(row, fields)]

    def writes(new: Book | Video) -> list[Write]:
        return [*event_writes(new, told), *loan_writes(new)]

    brought = ItemOrigin(item_id_of(kept, row), fields, writes)
    return new_item(KINDS[row.kind], row.fields | slot, brought)


def event_writes(to: Book | Video, told: Sequence[EventRead]) -> list[Write]:
    """Returns what is written of an item's history."""
    return [put(_event(to, one)) for one in told]


def item_id_of(kept: LibraryImport, row: LibraryRow) -> str:
    """Returns a row's id, equal on every try; items stay in the order of the file."""
    return f"{prefix_of(kept)}{row.number:08X}"


def collection_id_of(kept: LibraryImport, row: LibraryRow) -> str:
    """The id of a collection that a row brings along: by it, undoing the import finds it again.

    A collection may be a row of its own, and JSON counts those apart from items.
    """
    return f"{prefix_of(kept)}{row.number + (0 if row.is_item else FIRST_COLLECTION):08X}"


def prefix_of(kept: LibraryImport) -> str:
    """Returns what the ids of everything begin with that came by an import."""
    return kept.import_id[:24]


def _most_writes(row: LibraryRow) -> int:
    """An item, its code and its collection; its history; a loan that begins, and its timer."""
    return 3 + len(row.events) + (2 if row.loan is not None else 0)


def _loan(ctx: Context, row: LibraryRow) -> dict[str, Any]:
    """What an item says of its loan and its history; a day that is over is not told again."""
    if row.loan is None:
        return {"last_event_at": row.last_event_at}
    lent_at = row.loan.lent_at or iso(ctx.now)
    due, overdue = row.loan.due_date, None
    if due is not None and (late := overdue_from(due, ctx.person)) > ctx.now:
        overdue = iso(late)
    return {
        "lent_to": row.loan.lent_to,
        "lent_at": lent_at,
        "due_date": due,
        "overdue_at": overdue,
        "last_event_at": lent_at,
    }


def _begun(row: LibraryRow, fields: dict[str, Any]) -> list[EventRead]:
    """That it was lent, where the history of it does not say so itself."""
    if row.loan is None or row.last_event_at == fields["lent_at"]:
        return []
    return [EventRead("LENT", row.loan.lent_to, fields["lent_at"], row.loan.due_date)]


def _event(of: Book | Video, told: EventRead) -> LoanEvent:
    return LoanEvent(
        owner_id=of.owner_id,
        library_id=of.library_id,
        item_id=of.item_id,
        type=told.type,
        event=told.borrower,
        updated_at=told.at,
        due_date=told.due_date,
        lent_at=told.lent_at,
    )
