"""Titles: films and shows as every room knows them, from whatever source."""

from __future__ import annotations

from typing import Any, Literal, Protocol, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

ContentType: TypeAlias = Literal["MOVIE", "SHOW"]
ShowStatus: TypeAlias = Literal["ongoing", "ended", "cancelled"]

Certification: TypeAlias = Literal["G", "PG", "PG-13", "R", "NC-17"]
"""How old one should be, as rated in the United States; the mildest comes first."""

FOLDERS: dict[ContentType, str] = {"MOVIE": "films", "SHOW": "shows"}
"""Where the pages of titles are, and what they are called in addresses of the API."""


class NamesTitle(Protocol):
    """Something that names a title by two fields."""

    @property
    def content_type(self) -> ContentType:
        """Whether it is a film or a show."""

    @property
    def content_id(self) -> str:
        """Which one it is."""


class TitleId(Struct, frozen=True, order=True):
    """Which title is meant: its TMDB id as a text where it has one, or else an id of ours."""

    content_type: ContentType
    content_id: str

    @classmethod
    def of(cls, one: NamesTitle) -> Self:
        """Returns which title something names."""
        return cls(one.content_type, one.content_id)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Returns which title a text names, such as `MOVIE#603`."""
        kind, _, content_id = text.partition("#")
        return cls("SHOW" if kind == "SHOW" else "MOVIE", content_id)

    @property
    def key(self) -> dict[str, Any]:
        """The two fields by which others name it."""
        return asdict(self)

    @property
    def text(self) -> str:
        """It in one word, such as `MOVIE#603`."""
        return f"{self.content_type}#{self.content_id}"

    @property
    def address(self) -> str:
        """Its page."""
        return f"/{FOLDERS[self.content_type]}/{self.content_id}"

    @property
    def tmdb_id(self) -> int | None:
        """TMDB's number of it; None where it has an id of ours."""
        text = self.content_id
        is_number = text.isascii() and text.isdigit() and text[0] != "0" and len(text) <= 10
        return int(text) if is_number else None


class TitleFacts(Struct, frozen=True, kw_only=True):
    """Facts of a film or show; what a source does not know is None or empty, never guessed."""

    content_type: ContentType
    content_id: str
    title: str
    other_titles: tuple[str, ...] = ()
    """What it is called besides: originally, or elsewhere."""
    year: int | None = None
    """Of its release, or its first episode."""
    end_year: int | None = None
    """Of a show's last episode; None where it continues."""
    genres: tuple[str, ...] = ()
    """TMDB's genre ids, as strings."""
    runtime: int | None = None
    """A film's, in minutes."""
    seasons: int | None = None
    episodes: int | None = None
    status: ShowStatus | None = None
    certification: Certification | None = None
    """A film's; None where it is unknown: such a film never passes a ceiling below R."""
    makers: tuple[str, ...] = ()
    """Who directed a film, or created a show."""
    cast: tuple[str, ...] = ()
    popularity: float = 0
    """Higher is more popular; comparable within one source only."""
    vote_average: float | None = None
    """Out of ten; for the built-in catalogue, our own rating."""
    vote_count: int | None = None
    """None where nobody counts, as for the built-in catalogue: its titles are all well known."""
    services: tuple[str, ...] | None = None
    """Slugs of the streaming services that have it; None where nobody knows."""
    poster_path: str | None = None
    """TMDB's."""
    poster_url: str | None = None
    """The address of a picture, where an administrator entered one."""
    overview: str | None = None
    tmdb_id: int | None = None
    imdb_id: str | None = None

    @property
    def id(self) -> TitleId:
        """Which title it is."""
        return TitleId(self.content_type, self.content_id)
