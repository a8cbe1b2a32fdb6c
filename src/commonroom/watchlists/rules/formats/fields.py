"""Fields of a row: each is held to the room's rules, and what is amiss is noted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import TypeVar

from commonroom.date_bounds import is_within_bounds
from commonroom.errors import InvalidField
from commonroom.imports.files import (
    InvalidRow,
    Note,
    cut,
    excerpt,
    past_moment,
    plain_text,
    stars_in,
)
from commonroom.picture_addresses import picture_address
from commonroom.texts import clean_line, clean_lines
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules import lists
from commonroom.watchlists.rules.formats import ItemRead, ListRead, TitleRead
from commonroom.watchlists.rules.formats.contents import WatchlistContents

MAX_NAME = 300
"""Of a film or show."""
MAX_REVIEW = 2000
MAX_NAMES = 10
MAX_PERSON = 100
FIRST_YEAR, LAST_YEAR = 1870, 2100
MAX_ID = 2_000_000_000

_YEAR = re.compile(r"([0-9]{4})(?:\.0+|[-–/].*)?")
_NUMBER = re.compile(r"([0-9]{1,6})(?:[.,]0+)?")
_IMDB = re.compile(r"tt[0-9]{5,10}")
_DAY = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")
# Mon Jan  5 00:00:00 2015, as IMDb once wrote it.
_OLD_DAY = "%a %b %d %H:%M:%S %Y"

T = TypeVar("T")


class Fields:
    """What a row says, field by field; in a file of ours, `<b>` is just that."""

    def __init__(
        self, contents: WatchlistContents, number: int, title: str, *, is_own: bool = False
    ) -> None:
        self._contents, self.number, self._is_own = contents, number, is_own
        line = clean_line(title)
        if not line:
            raise InvalidRow("title", "The title is missing.")
        self.title = cut(line, MAX_NAME)
        if self.title != line:
            self.note("title", f"Shortened to {MAX_NAME} characters.")

    def note(self, field: str, why: str) -> None:
        """Says something about this row."""
        notes = self._contents.warnings
        notes.append(Note(self.number, field, self.title, why, self._contents.file))

    def of(
        self,
        content_type: ContentType | None,
        *,
        year: str = "",
        tmdb_id: str = "",
        imdb_id: str = "",
        original_title: str = "",
        content_id: str = "",
    ) -> TitleRead:
        """Returns the title that the row is about."""
        original = cut(clean_line(original_title), MAX_NAME)
        return TitleRead(
            title=self.title,
            year=self.year(year),
            content_type=content_type,
            content_id=content_id if lists.is_id(content_id) else None,
            tmdb_id=self.tmdb_id(tmdb_id),
            imdb_id=self.imdb_id(imdb_id),
            original_title=original if original and original != self.title else None,
            is_of_service=not self._is_own,
        )

    def put_on(
        self,
        to: int,
        of: TitleRead,
        *,
        note: str = "",
        added_at: str = "",
        is_cover: bool = False,
        place: str | float | None = None,
    ) -> None:
        """Puts the title on a list; `place` says where, if not behind those before it."""
        item = ItemRead(
            note=self.lines("note", note, lists.MAX_NOTE),
            added_at=self.moment("added_at", added_at),
            is_cover=is_cover,
        )
        at = self.number_of("order", place) if isinstance(place, str) else place
        self._contents.add_item(to, self.number, of, item, place=at)

    def listed(
        self,
        *,
        description: str = "",
        tags: Sequence[str] = (),
        is_numbered: bool = False,
        picture: str | None = None,
    ) -> ListRead:
        """Returns the list that the row is."""
        title = cut(self.title, lists.MAX_TITLE)
        if title != self.title:
            self.note("title", f"Shortened to {lists.MAX_TITLE} characters.")
        return ListRead(
            title=title,
            description=self.lines("description", description, lists.MAX_DESCRIPTION),
            tags=self.tags(tags),
            is_numbered=is_numbered,
            cover_image_url=self.picture("cover_image_url", picture),
        )

    def picture(self, field: str, address: str | None) -> str | None:
        """Returns the address of a picture; one that cannot be taken is skipped."""
        try:
            return picture_address(field, address)
        except InvalidField:
            self.note(field, f"“{excerpt(address or '')}” is not an https address. Skipped.")
            return None

    def year(self, text: str) -> int | None:
        """Returns a year; of several, the first."""
        plain = text.strip()
        if not plain.strip("0"):
            return None
        found = _YEAR.fullmatch(plain) if plain.isascii() else None
        year = 0 if found is None else int(found[1])
        fits = FIRST_YEAR <= year <= LAST_YEAR
        return self._known("year", plain, year if fits else None, "a year")

    def imdb_id(self, text: str) -> str | None:
        """IMDb's id of a title."""
        plain = text.strip().casefold()
        fits = _IMDB.fullmatch(plain) is not None
        return self._known("imdb_id", plain, plain if fits else None, "an IMDb ID")

    def tmdb_id(self, text: str) -> int | None:
        """TMDB's id of a title."""
        plain = text.strip().removesuffix(".0")
        if plain == "0":
            return None
        fits = plain.isascii() and plain.isdigit() and len(plain) <= 10 and int(plain) <= MAX_ID
        return self._known("tmdb_id", plain, int(plain) if fits else None, "a TMDB ID")

    def number_of(self, field: str, text: str) -> int | None:
        """Returns a whole number."""
        plain = text.strip()
        found = _NUMBER.fullmatch(plain) if plain.isascii() else None
        return self._known(field, plain, None if found is None else int(found[1]), "a whole number")

    def _known(self, field: str, plain: str, value: T | None, what: str) -> T | None:
        """Returns what a cell says; where it says something else, that is noted."""
        if value is None and plain:
            self.note(field, f"“{excerpt(plain)}” is not {what}. Skipped.")
        return value

    def rating(self, text: str, out_of: int) -> int | None:
        """Returns a rating from 1 to 10; 0 is none."""
        plain = text.strip()
        if not plain.strip("0.,"):
            return None
        given = stars_in(plain) or 0.0
        points = int(given * 10 / out_of + 0.5)
        if not 1 <= points <= 10 or given > out_of:
            self.note("rating", f"“{excerpt(plain)}” is not a rating up to {out_of}. Skipped.")
            return None
        if points != given * 10 / out_of:
            self.note("rating", f"{plain} was rounded to {points} of 10.")
        return points

    def lines(self, field: str, text: str, longest: int) -> str | None:
        """A text of several lines, without the marks of a web page, cut where it is too long."""
        plain = clean_lines(text if self._is_own else plain_text(text))
        kept = cut(plain, longest)
        if kept != plain:
            self.note(field, f"Shortened to {longest} characters.")
        return kept or None

    def tags(self, given: Sequence[str]) -> list[str]:
        """Tags, each once; what is too many or too long is left out and noted."""
        found: dict[str, str] = {}
        for text in given:
            tag = clean_line(text.replace("#", " "))
            if len(tag) > lists.MAX_TAG:
                self.note("tags", f"A tag is too long and is skipped: “{excerpt(tag)}”.")
            elif tag:
                found.setdefault(tag.casefold(), tag)
        if len(found) > lists.MAX_TAGS:
            self.note("tags", f"Only the first {lists.MAX_TAGS} of {len(found)} are kept.")
        return list(found.values())[: lists.MAX_TAGS]

    def names(self, text: str) -> list[str]:
        """Names in one cell, with commas between."""
        found = dict.fromkeys(clean_line(one)[:MAX_PERSON] for one in text.split(","))
        return [name for name in found if name][:MAX_NAMES]

    def day(self, field: str, text: str) -> str | None:
        """Returns a day of the past: a date, or a moment as it was where its owner lives."""
        found = self._date(text.strip())
        if found is None:
            if text.strip():
                self.note(field, f"“{excerpt(text.strip())}” is not a complete date. Skipped.")
            return None
        # A person far east may be a day ahead of us.
        today = datetime.fromtimestamp(self._contents.now, self._contents.zone).date()
        if found > today or not is_within_bounds(found, self._contents.now):
            self.note(field, f"{found.isoformat()} is not in the past. Skipped.")
            return None
        return found.isoformat()

    def moment(self, field: str, text: str) -> str | None:
        """Returns a moment of the past; a day alone is its beginning."""
        plain = text.strip()
        if not plain:
            return None
        try:
            return past_moment(plain, self._contents.now, self._contents.zone, self._moment)
        except InvalidRow as refused:
            self.note(field, f"{refused.detail} Skipped.")
            return None

    def _moment(self, text: str) -> datetime:
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            if (found := self._date(text)) is None:
                raise
            return datetime(found.year, found.month, found.day, tzinfo=self._contents.zone)

    def _date(self, text: str) -> date | None:
        try:
            if match := _DAY.fullmatch(text):
                return date(*map(int, match.groups()))
            if text[:3].isalpha():
                return datetime.strptime(text, _OLD_DAY).replace(tzinfo=UTC).date()
            at = datetime.fromisoformat(text)
            return (at.astimezone(self._contents.zone) if at.tzinfo else at).date()
        except (ValueError, OverflowError):
            return None
