"""Decisions about items: what a book and a video have, and what each of it may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache, partial
from typing import Any, get_args, get_type_hints

from commonroom.date_bounds import check_day
from commonroom.errors import FieldErrors, InvalidField
from commonroom.library.tables import Book, Order, Video
from commonroom.picture_addresses import MAX_ADDRESS_LENGTH, picture_address
from commonroom.texts import fit_line, fit_lines, fit_optional_line

MAX_TITLE = 300
MAX_SUMMARY = 4000
MAX_PERSON = 100
MAX_PEOPLE = 50
MAX_CAST = 5
FIRST_YEAR, LAST_YEAR = 1800, 2100
FIRST_BOOK_YEAR = 1400
"""Books are older than films."""
MAX_DURATION = 1000
LAST_PLACE = 1000
MAX_TMDB_ID = 2**31 - 1
MAX_ADDRESS = MAX_ADDRESS_LENGTH
MAX_REVIEW = 10_000
MAX_LINE = 100
"""Of a publisher, a language, a format, a location."""
MAX_TAG = 50
MAX_TAGS = 50
MAX_PAGES = 100_000
MAX_COPIES = 1000
ALONE = {"collection_id": None, "collection_name": None, "order": None}
"""An item that is in no collection."""
MAX_STARS = 5
LAST_DAY = date(2100, 12, 31)

PEOPLE = ("authors", "directors", "cast", "contributors")
LISTS = (*PEOPLE, "tags")
NUMBERS = ("release_year", "duration", "tmdb_id", "year", "pages", "copies")

Check = Callable[[Any], Any]

_TEN = re.compile(r"[0-9]{9}[0-9X]")
_THIRTEEN = re.compile(r"97[89][0-9]{10}")
_BETWEEN = re.compile(r"[\s\u2010-\u2015-]+")


def fit(kind: type[Book | Video], given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a book or a video as they are kept.

    One that it does not have is refused; else all that is wrong is said at once.
    """
    checks = _OF_BOOK if kind is Book else _OF_VIDEO
    for field in given.keys() - checks.keys():
        what = "A book" if kind is Book else "A video"
        raise InvalidField(field, f"{what} has no field “{field}”.")
    errors = FieldErrors()
    fitting = {field: errors.check(checks[field], value) for field, value in given.items()}
    errors.raise_if_any()
    return fitting


def check_days(fields: Mapping[str, Any], now: float) -> None:
    """Refuses days on which nobody can have read or seen anything, or will."""
    for name in ("started_on", "finished_on"):
        if (day := fields.get(name)) is not None:
            check_day(name, date.fromisoformat(day), now)


def fields_of(kind: type[Book | Video]) -> tuple[str, ...]:
    """Returns what a book or a video has of its own, beside its place and its loan."""
    return tuple(_OF_BOOK if kind is Book else _OF_VIDEO)


def code_of(item: Book | Video) -> str | None:
    """Returns what two items of the same work have in common: the ISBN, or the TMDB id."""
    if isinstance(item, Book):
        return None if item.isbn is None else f"isbn-{thirteen(item.isbn)}"
    return None if item.tmdb_id is None else f"tmdb-{item.tmdb_id}"


def place(order: Order | None) -> Order | None:
    """A place in a collection, at most two digits behind the point; None for the next free one."""
    if order is None:
        return None
    # Compared before it is rounded: what is no number at all fails both.
    if not 0 < order <= LAST_PLACE or (kept := round(order, 2)) != order or kept == 0:
        raise InvalidField("order", f"Enter a number from 1 to {LAST_PLACE}.")
    return int(kept) if kept == int(kept) else kept


@cache
def statuses(kind: type[Book | Video]) -> tuple[str, ...]:
    """How far a person can be with a book or a video: not begun, under way, done, given up."""
    hint, _ = get_args(get_type_hints(kind)["status"])
    return get_args(hint)


def isbn(text: str) -> str:
    """An ISBN as it is kept: ten or thirteen signs without dashes, with the right check digit."""
    plain = _BETWEEN.sub("", text).upper()
    if (_TEN.fullmatch(plain) and plain[9] == _tenth(plain)) or (
        _THIRTEEN.fullmatch(plain) and plain[12] == _thirteenth(plain)
    ):
        return plain
    raise InvalidField("isbn", "This is not a valid ISBN. Check the digits.")


def thirteen(kept: str) -> str:
    """Returns the ISBN with thirteen digits, in which two editions can be compared."""
    if len(kept) == 13:
        return kept
    start = "978" + kept[:9]
    return start + _thirteenth(start)


def _tenth(digits: str) -> str:
    rest = -sum(int(digit) * (10 - place) for place, digit in enumerate(digits[:9])) % 11
    return "X" if rest == 10 else str(rest)


def _thirteenth(digits: str) -> str:
    return str(-sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits[:12])) % 10)


def _title(text: Any) -> str:
    return fit_line("title", text or "", MAX_TITLE, "Give it a title.")


def _people(field: str, most: int) -> Check:
    def check(names: Sequence[str] | None) -> list[str]:
        if len(names or ()) > most:
            raise InvalidField(field, f"Enter at most {most} names.")
        return [fit_line(field, name, MAX_PERSON) for name in names or ()]

    return check


def _line(field: str) -> Check:
    return lambda text: fit_optional_line(field, text, MAX_LINE)


def _lines(field: str, most: int) -> Check:
    return lambda text: fit_lines(field, text, most)


def _tags(names: Sequence[str] | None) -> list[str]:
    kept = [fit_line("tags", name, MAX_TAG, "Enter a tag.") for name in names or ()]
    if any("," in one for one in kept):
        raise InvalidField("tags", "A tag cannot contain a comma.")
    if len(kept) > MAX_TAGS:
        raise InvalidField("tags", f"Enter at most {MAX_TAGS} tags.")
    return list({one.casefold(): one for one in reversed(kept)}.values())[::-1]


def _rating(stars: float | None) -> float | None:
    if stars is None:
        return None
    if not 0.25 <= stars <= MAX_STARS or (4 * stars) % 1:
        raise InvalidField("rating", f"Give 0.25 to {MAX_STARS} stars, in quarters.")
    return float(stars)


def _copies(number: int | None) -> int:
    return _whole(number, 1, MAX_COPIES, "copies", "a number of copies") or 1


def _status(kind: type[Book | Video]) -> Check:
    def check(text: str | None) -> str | None:
        if text and text not in statuses(kind):
            raise InvalidField("status", f"The status is one of {', '.join(statuses(kind))}.")
        return text or None

    return check


def _day(field: str) -> Check:
    def check(text: str | None) -> str | None:
        if not text:
            return None
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise InvalidField(field, "Choose a valid date.") from None
        if text != day.isoformat() or not date(1900, 1, 1) <= day <= LAST_DAY:
            raise InvalidField(field, f"Choose a date from 1900 to {LAST_DAY.year}.")
        return text

    return check


def _number(field: str, least: int, most: int, what: str) -> Check:
    return lambda number: _whole(number, least, most, field, what)


def _whole(number: int | None, least: int, most: int, field: str, what: str) -> int | None:
    if number is not None and not least <= number <= most:
        raise InvalidField(field, f"Enter {what} from {least} to {most}.")
    return number


_OF_ANY: dict[str, Check] = {
    "title": _title,
    "summary": _lines("summary", MAX_SUMMARY),
    "picture_url": partial(picture_address, "picture_url"),
    "contributors": _people("contributors", MAX_PEOPLE),
    "publisher": _line("publisher"),
    "language": _line("language"),
    "format": _line("format"),
    "location": _line("location"),
    "tags": _tags,
    "copies": _copies,
    "rating": _rating,
    "review": _lines("review", MAX_REVIEW),
    "started_on": _day("started_on"),
    "finished_on": _day("finished_on"),
}
_OF_BOOK = _OF_ANY | {
    "authors": _people("authors", MAX_PEOPLE),
    "isbn": lambda text: isbn(text) if text else None,
    "year": _number("year", FIRST_BOOK_YEAR, LAST_YEAR, "a year"),
    "pages": _number("pages", 1, MAX_PAGES, "a number of pages"),
    "status": _status(Book),
}
_OF_VIDEO = _OF_ANY | {
    "status": _status(Video),
    "directors": _people("directors", MAX_PEOPLE),
    "cast": _people("cast", MAX_CAST),
    "release_year": _number("release_year", FIRST_YEAR, LAST_YEAR, "a year"),
    "duration": _number("duration", 0, MAX_DURATION, "a length in minutes"),
    "tmdb_id": _number("tmdb_id", 1, MAX_TMDB_ID, "a TMDB ID"),
}
