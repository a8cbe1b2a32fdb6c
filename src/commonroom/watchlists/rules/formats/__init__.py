"""Files of films and shows: the rows they hold, whatever the format."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.imports.files import ParsedFiles
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.seen import Days

Format: TypeAlias = Literal["letterboxd", "imdb", "trakt", "commonroom_csv", "commonroom_json"]


class TitleRead(Struct, frozen=True, omit_defaults=True):
    """A film or show as a file names it."""

    title: str
    year: int | None = None
    content_type: ContentType | None = None
    """None where the file does not say whether it is a film or a show."""
    content_id: str | None = None
    """The id that it has here, in a file of ours."""
    tmdb_id: int | None = None
    imdb_id: str | None = None
    original_title: str | None = None
    runtime: int | None = None
    genres: list[str] = []
    makers: list[str] = []
    """Who directed it."""
    is_of_service: bool = False
    """Whether it comes from a service where everybody can look at it."""
    is_of_very_year: bool = False
    """Whether the files have another of its name from the year beside: none of that year is it."""

    @property
    def is_common(self) -> bool:
        """Whether others know it, too, so that it tells nothing of its importer."""
        return self.is_of_service or self.tmdb_id is not None or self.imdb_id is not None


class ListRead(Struct, frozen=True, omit_defaults=True):
    """A list of which a file tells."""

    title: str
    description: str | None = None
    tags: list[str] = []
    is_numbered: bool = False
    cover_image_url: str | None = None
    """The address of the picture that its owner chose for it."""


class ItemRead(Struct, frozen=True, omit_defaults=True):
    """A title's place on a list."""

    note: str | None = None
    added_at: str | None = None
    is_cover: bool = False
    """Whether the list has it on its cover."""


class OpinionRead(Struct, frozen=True, omit_defaults=True):
    """A person's opinion of a title, and whether they have seen it."""

    rating: int | None = None
    """1 to 10."""
    review: str | None = None
    rated_at: str | None = None
    is_seen: bool = False
    seen_on: str | None = None
    other_days: list[str] = []
    """Days of other viewings, the latest first."""
    is_begun: bool = False
    """Of a show: some of its episodes were seen, and nothing says that it was all of them."""

    @property
    def days(self) -> list[str]:
        """All days on which it was seen."""
        return Days(self.seen_on, self.other_days).all


class CatalogueMatch(Struct, frozen=True, omit_defaults=True):
    """The title of the catalogue that is meant."""

    content_type: ContentType
    content_id: str
    title: str
    year: int | None = None


class Known(Struct, frozen=True, omit_defaults=True):
    """What was there already of a row when it was matched."""

    is_listed: bool = False
    is_rated: bool = False
    is_seen: bool = False
    is_reviewed: bool = False
    seen_on: str | None = None
    other_days: list[str] = []


class WatchlistRow(Struct, frozen=True, omit_defaults=True):
    """A list, a title on one, the end of a list, or an opinion of a title.

    Every field of it keeps to the room's rules already.
    """

    number: int
    file: str | None = None
    list_number: int | None = None
    """Which of the lists in the file it is, or is on."""
    list_title: str | None = None
    """What that is called."""
    list_base: str | None = None
    """Returns the name without its part; None where others could be taken for parts of it."""
    of: TitleRead | None = None
    title_number: int = 0
    """Which of the distinct titles in the files it is about."""
    listed: ListRead | None = None
    item: ItemRead | None = None
    opinion: OpinionRead | None = None
    match: CatalogueMatch | None = None
    """Once it was matched."""
    made: CatalogueMatch | None = None
    """The title that can be added to the catalogue where that has none."""
    into: str | None = None
    """The list of the same name that its owner has already."""
    continued: list[str] = []
    """Those on which it goes on."""
    room: int = 0
    """Of a list: how many titles still fit on all of them."""
    known: Known = Known()

    @property
    def family(self) -> list[str]:
        """The lists that its owner has already for what is on this one."""
        return [] if self.into is None else [self.into, *self.continued]

    @property
    def title(self) -> str:
        """What it is called."""
        if self.listed is not None:
            return self.listed.title
        return "" if self.of is None else self.of.title

    @property
    def is_counted(self) -> bool:
        """Whether it is about a title: lists themselves are not counted."""
        return self.item is not None or self.opinion is not None

    @property
    def ends_list(self) -> bool:
        """Whether it stands behind all that is on a list; its title is that of the cover."""
        return self.list_number is not None and self.listed is None and self.item is None


class ParsedWatchlistFiles(ParsedFiles, frozen=True, kw_only=True):
    """All that was sent."""

    formats: list[Format]
    rows: list[WatchlistRow]
    """Every list before what is on it."""
