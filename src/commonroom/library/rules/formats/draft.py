"""Drafts of rows: each field is held to the library's rules, and what is amiss is noted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date
from typing import Any, Literal, TypeAlias

from commonroom.errors import InvalidField
from commonroom.imports.contents import FileContents
from commonroom.imports.files import (
    InvalidRow,
    Note,
    cut,
    excerpt,
    past_moment,
    plain_text,
    stars_in,
)
from commonroom.library.rules import items, names
from commonroom.library.rules.formats import (
    KINDS,
    Format,
    ItemKind,
    LibraryRow,
    LoanRead,
    ParsedLibraryFile,
)
from commonroom.library.rules.loans import due_date
from commonroom.library.tables import Order

MAX_SHELF = 100
MAX_SHELVES = 20

Progress: TypeAlias = Literal[0, 1, 2, 3]
"""Not begun, under way, done, given up: a book is read, a video is watched."""
GAVE_UP: Progress = 3

_PLACE = re.compile(r"[0-9]{1,4}(?:[.,][0-9]{1,2})?")
_NUMBER = re.compile(r"[0-9]{1,12}(?:[.,]0+)?")
_DAY = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[T ].*)?")


class ItemDraft:
    """A book or a video of which a file tells; only without a title there is none."""

    def __init__(self, number: int, kind: ItemKind, title: str, now: float) -> None:
        self.number, self.kind, self._now = number, kind, now
        self.notes: list[Note] = []
        self.collection: str | None = None
        self.order: Order | None = None
        self.shelves: list[str] = []
        self.loan: LoanRead | None = None
        self.unkept: set[str] = set()
        self.title = ""
        self.title = self._titled(title)
        self.fields: dict[str, Any] = {"title": self.title}

    def take(self, field: str, value: Any) -> None:
        """Takes a field, or notes why it is left out."""
        if value in (None, "", []):
            return
        try:
            fitting = items.fit(KINDS[self.kind], {field: value})
            items.check_days(fitting, self._now)
            self.fields |= fitting
        except InvalidField as refused:
            self.note(field, f"{refused.detail} Skipped.")

    def take_people(self, field: str, people: Sequence[str]) -> None:
        """Takes names, each once; what is too many or too long is left out and noted."""
        most = items.MAX_CAST if field == "cast" else items.MAX_PEOPLE
        self._take_list(field, people, "A name", items.MAX_PERSON, most)

    def take_tags(self, tags: Sequence[str]) -> None:
        """Takes tags, each once, beside those that were taken before."""
        before = self.fields.get("tags", [])
        self._take_list("tags", [*before, *tags], "A tag", items.MAX_TAG, items.MAX_TAGS)

    def take_summary(self, text: str) -> None:
        """Takes a description, cut where it is too long."""
        self._take_cut("summary", text.strip(), items.MAX_SUMMARY)

    def take_review(self, text: str) -> None:
        """Takes what its owner wrote about it, without the marks of a web page."""
        self._take_cut("review", plain_text(text), items.MAX_REVIEW)

    def take_line(self, field: str, text: str) -> None:
        """Takes a short text, cut where it is too long."""
        self._take_cut(field, " ".join(text.split()), items.MAX_LINE)

    def take_number(self, field: str, text: str) -> None:
        """Takes a whole number."""
        plain = text.strip()
        if not plain:
            return
        if plain.isascii() and _NUMBER.fullmatch(plain):
            self.take(field, int(re.split("[.,]", plain)[0]))
        else:
            self.note(field, f"“{excerpt(plain)}” is not a whole number. Skipped.")

    def take_copies(self, text: str) -> None:
        """Takes how many there are; other services say 0 where nobody counted."""
        if text.strip() != "0":
            self.take_number("copies", text)

    def take_rating(self, text: str) -> None:
        """Takes stars, by quarters; 0 is none."""
        plain = text.strip()
        if not plain.strip("0.,"):
            return
        given = stars_in(plain)
        if given is None:
            self.note("rating", f"“{excerpt(plain)}” is not a number of stars. Skipped.")
            return
        stars = int(given * 4 + 0.5) / 4
        if stars != given and stars <= items.MAX_STARS:
            self.note("rating", f"{plain} stars were rounded to {stars:g}.")
        self.take("rating", stars)

    def take_day(self, field: str, text: str) -> None:
        """Takes a day, as services and spreadsheets write it; of several, the last."""
        days = [one for part in text.split(",") if (one := part.strip(" []"))]
        if not days:
            return
        if len(days) > 1:
            self.note(field, f"Only the last of {len(days)} dates is kept.")
        match = _DAY.fullmatch(days[-1])
        try:
            day = date(*map(int, match.groups())) if match else None
        except ValueError:
            day = None
        if day is None:
            self.note(field, f"“{excerpt(days[-1])}” is not a complete date. Skipped.")
        else:
            self.take(field, day.isoformat())

    def take_progress(self, progress: Progress | None) -> None:
        """Takes how far its owner is with it."""
        if progress is not None:
            self.take("status", items.statuses(KINDS[self.kind])[progress])

    def leave(self, what: str) -> None:
        """Says that the library has no place for something that the file has."""
        self.unkept.add(what)

    def take_place(self, collection: str, order: str = "") -> None:
        """Takes the name of a collection, and a place in it where it is one."""
        if not collection.strip():
            if order:
                self.note("order", "It has a number but no collection. Skipped.")
            return
        try:
            self.collection = names.collection_name(collection)
        except InvalidField as refused:
            self.note("collection", f"{refused.detail} Skipped.")
            return
        try:
            fits = order.isascii() and _PLACE.fullmatch(order) is not None
            self.order = items.place(float(order.replace(",", "."))) if fits else None
        except InvalidField:
            fits = False
        if order and not fits:
            why = f"“{excerpt(order)}” is not a number in a collection. It gets the next free one."
            self.note("order", why)

    def take_shelves(self, shelves: Sequence[str]) -> None:
        """Takes the names of the other service's shelves."""
        named = [" ".join(one.split())[:MAX_SHELF] for one in shelves]
        self.shelves = list(dict.fromkeys(one for one in named if one))[:MAX_SHELVES]

    def take_loan(self, lent_to: str, lent_at: str = "", due: str = "") -> None:
        """Takes who has it, since when and until when."""
        if not lent_to.strip():
            if due or lent_at:
                self.note("lent_to", "The borrower’s name is missing, so it is not marked as lent.")
            return
        try:
            borrower = names.borrower(lent_to)
        except InvalidField as refused:
            self.note("lent_to", f"{refused.detail} It is not marked as lent.")
            return
        self.loan = LoanRead(borrower, self._since(lent_at), self._until(due))

    def note(self, field: str | None, why: str) -> None:
        """Says something about this row."""
        self.notes.append(Note(self.number, field, self.title or None, why))

    @property
    def row(self) -> LibraryRow:
        """What became of it."""
        return LibraryRow(
            number=self.number,
            kind=self.kind,
            fields=self.fields,
            collection=self.collection,
            order=self.order,
            shelves=self.shelves,
            loan=self.loan,
        )

    def _take_list(
        self, field: str, given: Sequence[str], what: str, longest: int, most: int
    ) -> None:
        found = list(dict.fromkeys(name for one in given if (name := " ".join(one.split()))))
        short = [name for name in found if len(name) <= longest]
        for name in found:
            if len(name) > longest:
                self.note(field, f"{what} is too long and is skipped: “{excerpt(name)}”.")
        if len(short) > most:
            self.note(field, f"Only the first {most} of {len(short)} are kept.")
        self.take(field, short[:most])

    def _take_cut(self, field: str, text: str, longest: int) -> None:
        if len(text) > longest:
            text = cut(text, longest)
            self.note(field, f"Shortened to {longest} characters.")
        self.take(field, text)

    def _titled(self, title: str) -> str:
        line = " ".join(title.split())
        if len(line) > items.MAX_TITLE:
            line = cut(line, items.MAX_TITLE)
            self.note("title", f"Shortened to {items.MAX_TITLE} characters.")
        try:
            return str(items.fit(KINDS[self.kind], {"title": line})["title"])
        except InvalidField as refused:
            missing = "The title is missing." if not line else refused.detail
            raise InvalidRow("title", missing) from None

    def _since(self, lent_at: str) -> str | None:
        try:
            return past_moment(lent_at, self._now, UTC) if lent_at else None
        except InvalidRow as refused:
            self.note("lent_at", f"{refused.detail} It is marked as lent today.")
            return None

    def _until(self, due: str) -> str | None:
        try:
            return due_date(due, self._now)
        except InvalidField as refused:
            self.note("due_date", f"{refused.detail} Skipped.")
            return None


class LibraryContents(FileContents):
    """What a file was found to hold so far, and what there is to say about it."""

    def __init__(self, now: float) -> None:
        super().__init__()
        self.now = now
        self.rows: list[LibraryRow] = []

    def add(self, draft: ItemDraft, rows: Sequence[LibraryRow] = ()) -> None:
        """Takes an item, which may be several rows, with what was noted about it."""
        self.rows.extend(rows or [draft.row])
        self.warnings.extend(draft.notes)
        for what in sorted(draft.unkept):
            self.leave(what)

    def whole(self, kind: Format) -> ParsedLibraryFile:
        """Returns all of it."""
        return ParsedLibraryFile(format=kind, rows=self.rows, **self.said)
