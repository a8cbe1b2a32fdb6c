"""A row in the making: each field is held to the library's rules, and what is amiss is noted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from commonroom.accounts.errors import Unfit
from commonroom.library.rules import items, names
from commonroom.library.rules.formats.errors import BadRow
from commonroom.library.rules.formats.rows import KINDS, ItemKind, LoanRead, Note, Row
from commonroom.library.rules.lending import due_date
from commonroom.store.declare.forms import millisecond_form
from commonroom.store.errors import BadKey

LONGEST_SHELF = 100
MOST_SHELVES = 20


class Draft:
    """A book or a video of which a file tells; only without a title there is none."""

    def __init__(self, number: int, kind: ItemKind, title: str) -> None:
        self.number, self.kind = number, kind
        self.notes: list[Note] = []
        self.collection: str | None = None
        self.order: int | None = None
        self.shelves: list[str] = []
        self.loan: LoanRead | None = None
        self.title = ""
        self.title = self._titled(title)
        self.fields: dict[str, Any] = {"title": self.title}

    def take(self, field: str, value: Any) -> None:
        """Takes a field, or notes why it is left out."""
        if value in (None, "", []):
            return
        try:
            self.fields |= items.fit(KINDS[self.kind], {field: value})
        except Unfit as refused:
            self.note(field, f"{refused.detail} It is left out.")

    def take_people(self, field: str, people: Sequence[str]) -> None:
        """Takes names, each once; what is too many or too long is left out and noted."""
        most = items.MOST_CAST if field == "cast" else items.MOST_PEOPLE
        found = list(dict.fromkeys(name for one in people if (name := " ".join(one.split()))))
        short = [name for name in found if len(name) <= items.LONGEST_PERSON]
        if len(short) < len(found):
            self.note(field, "A name is too long, and is left out.")
        if len(short) > most and field != "cast":  # of a cast, the first are all that is kept
            self.note(field, f"Only the first {most} names are kept.")
        self.take(field, short[:most])

    def take_summary(self, text: str) -> None:
        """Takes a description, cut where it is too long."""
        if len(text.strip()) > items.LONGEST_SUMMARY:
            text = _cut(text.strip(), items.LONGEST_SUMMARY)
            self.note("summary", f"It is cut to {items.LONGEST_SUMMARY} characters.")
        self.take("summary", text)

    def take_number(self, field: str, text: str) -> None:
        """Takes a whole number."""
        if not text:
            return
        if text.isascii() and text.isdigit() and len(text) <= 12:
            self.take(field, int(text))
        else:
            self.note(field, f"“{_shown(text)}” is no whole number. It is left out.")

    def take_place(self, collection: str, order: str = "") -> None:
        """Takes the name of a collection, and a place in it where it is one."""
        if not collection.strip():
            if order:
                self.note("order", "Only an item in a collection has a place. It is left out.")
            return
        try:
            self.collection = names.collection_name(collection)
        except Unfit as refused:
            self.note("collection", f"{refused.detail} It is left out.")
            return
        try:
            whole = order.isascii() and order.isdigit() and len(order) <= 6
            self.order = items.place(int(order)) if whole else None
        except Unfit:
            whole = False
        if order and not whole:
            why = f"“{_shown(order)}” is no place in a collection. It takes the next free one."
            self.note("order", why)

    def take_shelves(self, shelves: Sequence[str]) -> None:
        """Takes the names of the other service's shelves."""
        named = [" ".join(one.split())[:LONGEST_SHELF] for one in shelves]
        self.shelves = list(dict.fromkeys(one for one in named if one))[:MOST_SHELVES]

    def take_loan(self, now: float, lent_to: str, lent_at: str = "", due: str = "") -> None:
        """Takes who has it, since when and until when."""
        if not lent_to.strip():
            if due or lent_at:
                self.note("lent_to", "It does not say who has it, so it is not lent.")
            return
        try:
            borrower = names.borrower(lent_to)
        except Unfit as refused:
            self.note("lent_to", f"{refused.detail} It is not lent.")
            return
        self.loan = LoanRead(borrower, self._since(now, lent_at), self._until(due))

    def note(self, field: str | None, why: str) -> None:
        """Says something about this row."""
        self.notes.append(Note(self.number, field, self.title or None, why))

    @property
    def row(self) -> Row:
        """What became of it."""
        return Row(
            number=self.number,
            kind=self.kind,
            fields=self.fields,
            collection=self.collection,
            order=self.order,
            shelves=self.shelves,
            loan=self.loan,
        )

    def _titled(self, title: str) -> str:
        line = " ".join(title.split())
        if len(line) > items.LONGEST_TITLE:
            line = _cut(line, items.LONGEST_TITLE)
            self.note("title", f"It is cut to {items.LONGEST_TITLE} characters.")
        try:
            return str(items.fit(KINDS[self.kind], {"title": line})["title"])
        except Unfit as refused:
            missing = "There is no title." if not line else refused.detail
            raise BadRow("title", missing) from None

    def _since(self, now: float, lent_at: str) -> str | None:
        try:
            return moment(now, lent_at) if lent_at else None
        except BadRow as refused:
            self.note("lent_at", f"{refused.detail} It is taken as lent today.")
            return None

    def _until(self, due: str) -> str | None:
        try:
            return due_date(due)
        except Unfit as refused:
            self.note("due_date", f"{refused.detail} It is left out.")
            return None


def moment(now: float, text: str) -> str:
    """A moment of the past to the millisecond; a day alone is its beginning."""
    try:
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        kept = millisecond_form(at.isoformat())
        seconds = at.timestamp()
    except (ValueError, OverflowError, BadKey):
        raise BadRow(None, f"“{_shown(text)}” is no moment.") from None
    if not 0 <= seconds <= now:
        raise BadRow(None, f"“{_shown(text)}” is no moment of the past.")
    return kept


def _cut(text: str, longest: int) -> str:
    return text[: longest - 1].rstrip() + "…"


def _shown(text: str) -> str:
    return text if len(text) <= 30 else _cut(text, 30)
