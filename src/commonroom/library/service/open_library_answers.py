"""What Open Library answers, as far as we need it: what is missing is forgiven."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T", bound=Struct)

COVERS = "https://covers.openlibrary.org/b/id"


class InvalidAnswer(Exception):
    """It is not what Open Library would say; this never leaves the package."""


class AuthorName(Struct):
    """An author, as far as a list of them tells."""

    name: Any = None


class CoverLinks(Struct):
    """Where covers are."""

    large: Any = None
    medium: Any = None


class Data(Struct):
    """A book in the answer of `/api/books`, which gathers edition, work and authors."""

    title: Any = None
    subtitle: Any = None
    authors: list[AuthorName] = []
    cover: CoverLinks | None = None

    @property
    def full_title(self) -> str | None:
        """The title, and what stands below it."""
        return _joined(self.title, self.subtitle)

    @property
    def names(self) -> list[str]:
        """Who wrote it."""
        return [one.name for one in self.authors if isinstance(one.name, str)]

    @property
    def picture(self) -> str | None:
        """The largest cover."""
        told = (self.cover.large, self.cover.medium) if self.cover is not None else ()
        return next((one for one in told if isinstance(one, str) and "/id/-" not in one), None)


class Key(Struct):
    """What leads to something else."""

    key: Any = None


class Edition(Struct):
    """A book as `/isbn/….json` has it: authors and work only by their keys."""

    title: Any = None
    subtitle: Any = None
    description: Any = None
    covers: Any = None
    works: list[Key] = []

    @property
    def full_title(self) -> str | None:
        """The title, and what stands below it."""
        return _joined(self.title, self.subtitle)

    @property
    def picture(self) -> str | None:
        """A cover; Open Library marks those that were taken away with -1."""
        ids = self.covers if isinstance(self.covers, list) else []
        known = (one for one in ids if isinstance(one, int) and one > 0)
        return next((f"{COVERS}/{one}-L.jpg" for one in known), None)

    @property
    def work(self) -> str | None:
        """Where its work is."""
        told = (one.key for one in self.works)
        return next((one for one in told if isinstance(one, str)), None)


class Work(Struct):
    """A work, of which there may be many editions."""

    description: Any = None


def read(text: bytes, shape: type[T]) -> T:
    """An answer; refused where it is something else."""
    try:
        return msgspec.json.decode(text, type=shape)
    # Nested too deeply; not UTF-8; not JSON, or of another shape.
    except (RecursionError, UnicodeDecodeError, msgspec.MsgspecError):
        raise InvalidAnswer from None


def read_books(text: bytes) -> Data | None:
    """The one book of an answer of `/api/books`; None where it is not known."""
    try:
        books = msgspec.json.decode(text, type=dict[str, Data])
    except (RecursionError, UnicodeDecodeError, msgspec.MsgspecError):
        raise InvalidAnswer from None
    return next(iter(books.values()), None)


def text_of(told: Any) -> str | None:
    """A description, which is a text or has one in it."""
    text = told.get("value") if isinstance(told, dict) else told
    return text if isinstance(text, str) else None


def _joined(title: Any, subtitle: Any) -> str | None:
    parts = [one.strip() for one in (title, subtitle) if isinstance(one, str) and one.strip()]
    return ": ".join(parts) if isinstance(title, str) and parts else None
