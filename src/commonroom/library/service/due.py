"""What is due: things that a person has lent and borrowed, as they are stored now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.library.rules.loans import today
from commonroom.library.service.loans import ref_of
from commonroom.library.tables import Book, Video, borrowed_items, loans, owner_id_of
from commonroom.store import Ref

SOON_DAYS = 7
MAX_DUE = 20
"""How many of each are looked at: what is due first comes first among what is lent."""


class Due(Struct, frozen=True):
    """What is due soon or already was, the earliest first."""

    lent: list[Book | Video]
    borrowed: list[Book | Video]


class DueFind(Struct, frozen=True):
    """Where what may be due is stored, for those who read it with other things."""

    person_id: str
    until: str
    """The last day that is soon."""
    lent: list[Ref[Book | Video]]
    borrowed: list[Ref[Book | Video]]

    @property
    def refs(self) -> list[Ref[Book | Video]]:
        """All of it."""
        return [*self.lent, *self.borrowed]

    def due(self, found: Sequence[Book | Video | None]) -> Due:
        """Returns what is due of what was read: an index may still show what is back."""
        lent = [one for one in found[: len(self.lent)] if one is not None and one.lent_to]
        borrowed = [
            one
            for one in found[len(self.lent) :]
            if one is not None and one.borrower_id == self.person_id
        ]
        return Due(self._soon(lent), self._soon(borrowed))

    def _soon(self, items: Sequence[Book | Video]) -> list[Book | Video]:
        dated = [(one.due_date, one) for one in items if one.due_date is not None]
        soon = [pair for pair in dated if pair[0] <= self.until]
        return [one for _, one in sorted(soon, key=lambda pair: (pair[0], pair[1].title))]


async def find_due(ctx: Context) -> DueFind:
    """Returns where all that may be due for a person is: two requests."""
    me = owner_id_of(ctx.person.user_id)
    lent, borrowed = await ctx.store.gather(
        ctx.store.page(loans(owner_id=me), limit=MAX_DUE),
        ctx.store.page(borrowed_items(borrower_id=me), limit=MAX_DUE),
    )
    last = date.fromisoformat(today(ctx.now, ctx.person)) + timedelta(days=SOON_DAYS)
    until = last.isoformat()
    dated = [one for one in lent.items if one.due_date is not None and one.due_date <= until]
    return DueFind(
        ctx.person.user_id,
        until,
        [one.ref for one in dated],
        [ref_of(one) for one in borrowed.items],
    )
