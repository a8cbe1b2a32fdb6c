"""What is lent, as pages show it to its owner."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.library import loan_words
from commonroom.library.pages.due_dates import DueDay, due_day
from commonroom.library.tables import Book, Video
from commonroom.moments import seconds


class LoanCard(Struct, frozen=True):
    """A loan that lasts."""

    borrower: str
    since: str | None
    lasted: str | None
    """For how long, in words; None on the first day."""
    due: DueDay | None
    has_account: bool
    """Whether the borrower sees it among what they borrowed."""

    @property
    def is_overdue(self) -> bool:
        """Whether it should be back already."""
        return self.due is not None and self.due.is_overdue


def loan_of(item: Book | Video, now: float, reader: User) -> LoanCard | None:
    """The loan of an item as whoever looks may see it; None where it stands on the shelf."""
    if item.lent_to is None:
        return None
    passed = 0.0 if item.lent_at is None else now - seconds(item.lent_at)
    return LoanCard(
        item.lent_to,
        item.lent_at,
        loan_words.lasted(passed) if passed >= loan_words.DAY else None,
        due_day(item.due_date, now, reader),
        item.borrower_id is not None,
    )
