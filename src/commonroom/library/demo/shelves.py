"""What stands on the demonstration's shelves, as it is written down."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from commonroom.catalog.builtin import known_films
from commonroom.catalog.films import Film
from commonroom.library.rules.items import MOST_CAST
from commonroom.library.tables import Book, Video


class Series(Struct, frozen=True, forbid_unknown_fields=True):
    """A collection, with books of one author or with films, in their order."""

    name: str
    description: str | None = None
    by: str = ""
    books: list[str] = []
    films: list[str] = []


class Shelves(Struct, frozen=True, forbid_unknown_fields=True):
    """A library. Books stand under who wrote them; films are known by the catalogue's titles."""

    owner: Literal["maya", "jonas"]
    name: str
    description: str
    collections: list[Series]
    books: dict[str, list[str]]
    films: list[str]
    isbns: dict[str, str]
    """Of some books, by title."""
    summaries: dict[str, str]

    def book(self, title: str, by: str) -> Thing:
        """A book to be added."""
        given: dict[str, Any] = {"title": title, "authors": by.split(" & ")}
        told = {"isbn": self.isbns.get(title), "summary": self.summaries.get(title)}
        return Thing(Book, given | {field: one for field, one in told.items() if one})

    def series(self, one: Series) -> list[Thing]:
        """What is in a collection, in order."""
        return [*(self.book(title, one.by) for title in one.books), *map(film, one.films)]

    def others(self) -> list[Thing]:
        """What stands by itself."""
        books = [self.book(title, by) for by, titles in self.books.items() for title in titles]
        return [*books, *map(film, self.films)]


class Thing(Struct, frozen=True):
    """A book or a video to be added."""

    kind: type[Book | Video]
    given: dict[str, Any]


@cache
def read_shelves() -> tuple[Shelves, ...]:
    """Both libraries."""
    written = (files("commonroom.library.demo") / "shelves.json").read_bytes()
    return msgspec.json.decode(written, type=tuple[Shelves, ...])


def film(title: str) -> Thing:
    """A film to be added, with what the catalogue knows of it."""
    known = _films()[title]
    given = {
        "title": known.title,
        "summary": known.overview,
        "directors": list(known.directors),
        "cast": list(known.cast[:MOST_CAST]),
        "release_year": known.year,
        "duration": known.runtime,
        "tmdb_id": known.tmdb_movie_id,
    }
    return Thing(Video, given)


@cache
def _films() -> dict[str, Film]:
    return {one.title: one for one in known_films()}
