"""Decisions about items: what a book and a video have, and what each of it may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from commonroom.accounts.errors import Unfit
from commonroom.library.rules.isbn import isbn, thirteen
from commonroom.library.rules.texts import one_line, some_lines
from commonroom.library.tables import Book, Video

LONGEST_TITLE = 100
LONGEST_SUMMARY = 4000
LONGEST_PERSON = 100
MOST_PEOPLE = 50
MOST_CAST = 5
FIRST_YEAR, LAST_YEAR = 1800, 2100
LONGEST_DURATION = 1000
LAST_PLACE = 1000
LARGEST_TMDB_ID = 2**31 - 1
LONGEST_ADDRESS = 2000

Check = Callable[[Any], Any]


def fit(kind: type[Book | Video], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a book or a video as they are kept; one that it does not have is refused."""
    checks = _OF_BOOK if kind is Book else _OF_VIDEO
    for field in given.keys() - checks.keys():
        what = "A book" if kind is Book else "A video"
        raise Unfit(field, f"{what} has no field “{field}”.")
    return {field: checks[field](value) for field, value in given.items()}


def code_of(item: Book | Video) -> str | None:
    """What two items of the same work have in common: the ISBN, or the TMDB id."""
    if isinstance(item, Book):
        return None if item.isbn is None else f"isbn-{thirteen(item.isbn)}"
    return None if item.tmdb_id is None else f"tmdb-{item.tmdb_id}"


def place(order: int | None) -> int | None:
    """A place in a collection; None where the next free one is meant."""
    return _whole(order, 1, LAST_PLACE, "order", "A place in a collection")


def _title(text: Any) -> str:
    return one_line(text or "", LONGEST_TITLE, "title", "A title")


def _summary(text: Any) -> str | None:
    return some_lines(text, LONGEST_SUMMARY, "summary", "A summary")


def _picture(address: Any) -> str | None:
    if not address:
        return None
    try:
        parts = urlsplit(address)
        fits = parts.scheme == "https" and bool(parts.hostname)
    except ValueError:
        fits = False
    if not fits or len(address) > LONGEST_ADDRESS or not address.isascii() or " " in address:
        raise Unfit("picture_url", "A picture’s address begins with https://.")
    return str(address)


def _people(field: str, most: int) -> Check:
    def check(names: Sequence[str] | None) -> list[str]:
        if len(names or ()) > most:
            raise Unfit(field, f"There can be at most {most} names here.")
        return [one_line(name, LONGEST_PERSON, field, "A name") for name in names or ()]

    return check


def _isbn(text: str | None) -> str | None:
    return isbn(text) if text else None


def _number(field: str, least: int, most: int, what: str) -> Check:
    return lambda number: _whole(number, least, most, field, what)


def _whole(number: int | None, least: int, most: int, field: str, what: str) -> int | None:
    if number is not None and not least <= number <= most:
        raise Unfit(field, f"{what} is a number from {least} to {most}.")
    return number


_OF_ANY: dict[str, Check] = {"title": _title, "summary": _summary, "picture_url": _picture}
_OF_BOOK = _OF_ANY | {"authors": _people("authors", MOST_PEOPLE), "isbn": _isbn}
_OF_VIDEO = _OF_ANY | {
    "directors": _people("directors", MOST_PEOPLE),
    "cast": _people("cast", MOST_CAST),
    "release_year": _number("release_year", FIRST_YEAR, LAST_YEAR, "A year"),
    "duration": _number("duration", 0, LONGEST_DURATION, "A duration in minutes"),
    "tmdb_id": _number("tmdb_id", 1, LARGEST_TMDB_ID, "A TMDB id"),
}
