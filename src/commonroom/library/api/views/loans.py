"""What the API shows of loans."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from commonroom.library.api.views.items import Day, Item, item
from commonroom.library.rules.lending import Loan
from commonroom.library.service.loans import Borrowed, Lent
from commonroom.web.people.api.views import Moment


class LentItem(Struct, frozen=True):
    """Something that one has lent."""

    item: Item
    is_overdue: bool


class BorrowedItem(Struct, frozen=True):
    """Something that one has borrowed: all that one is told of it."""

    item_id: str
    title: str
    picture_url: str | None
    owner_name: str | None
    lent_at: Moment | None
    due_date: Day | None
    is_overdue: bool


class PastLoan(Struct, frozen=True):
    """A loan from lending to return."""

    borrower: str
    lent_at: Annotated[Moment | None, Meta(description="Null where only the return is known.")]
    returned_at: Annotated[Moment | None, Meta(description="Null while it is lent.")]
    due_date: Day | None
    lasted: Annotated[
        float | None, Meta(description="Seconds; null while it is lent or where it is unknown.")
    ]


def lent_item(one: Lent) -> LentItem:
    """Something lent, as its owner sees it."""
    return LentItem(item(one.item, is_mine=True), one.is_overdue)


def borrowed_item(one: Borrowed) -> BorrowedItem:
    """Something borrowed, as its borrower sees it."""
    return msgspec.convert(one, BorrowedItem, from_attributes=True)


def past_loan(one: Loan) -> PastLoan:
    """A loan in the history of an item."""
    return PastLoan(one.borrower, one.lent_at, one.returned_at, one.due_date, one.lasted)
