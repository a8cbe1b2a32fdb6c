"""Lists and titles as pages show them."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from commonroom.catalog.posters import Drawing, drawing_of, poster_address
from commonroom.catalog.titles import TitleFacts, TitleId
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.tables import Poster, Watchlist, WatchlistItem
from commonroom.web.title_words import facts_line

FANNED = 5
"""How many posters a list's card shows."""


class Picture(Struct, frozen=True):
    """A title's poster: what is drawn, and the picture before it where there is one."""

    drawing: Drawing
    poster: str | None = None


class Face(Struct, frozen=True):
    """A curator's picture, as lists keep it."""

    avatar_key: str | None
    display_name: str


class ListCard(Struct, frozen=True, dict=True):
    """A list among others."""

    watchlist: Watchlist

    @property
    def address(self) -> str:
        """Its page."""
        return addresses.watchlist(self.watchlist.watchlist_id)

    @property
    def curator_address(self) -> str:
        """Its curator's page."""
        return addresses.curator(self.watchlist.curator_name or "")

    @property
    def curator(self) -> Face:
        """Its curator's face."""
        return Face(self.watchlist.curator_avatar_key, self.watchlist.curator_name or "?")

    @cached_property
    def pictures(self) -> list[Picture]:
        """The posters that are fanned out; the first one lies on top."""
        return [picture_of(one) for one in self.watchlist.posters[:FANNED]]


class ItemCard(Struct, frozen=True):
    """A title on a list; worked out once, because there may be hundreds of them."""

    item: WatchlistItem
    number: int
    """Where it stands, counted from 1."""
    address: str
    picture: Picture
    facts: str
    """Year, length and genres in a line."""
    anchor: str
    """Its place on the page."""
    is_seen: bool = False
    is_new: bool = False


def item_card(
    item: WatchlistItem, number: int, *, is_seen: bool = False, is_new: bool = False
) -> ItemCard:
    """A title as a list shows it."""
    content_type, content_id = item.content_type, item.content_id
    return ItemCard(
        item,
        number,
        TitleId(content_type, content_id).address,
        picture_of(item),
        facts_line(
            content_type,
            year=item.year,
            minutes=item.runtime,
            seasons=item.number_of_seasons,
            genres=item.genres,
        ),
        anchor_of(TitleId(content_type, content_id)),
        is_seen,
        is_new,
    )


def anchor_of(title: TitleId) -> str:
    """Where a title stands on the page of its list."""
    return f"{title.content_type.lower()}-{title.content_id}"


class FoundCard(Struct, frozen=True, dict=True):
    """A title that was looked for, to be added to a list."""

    title: TitleFacts
    is_listed: bool = False
    """Whether it is on the list already."""
    is_called: bool = False
    """Whether it has the name that was typed, so that Enter adds it."""

    @cached_property
    def picture(self) -> Picture:
        """Its poster."""
        one = self.title
        return Picture(drawing_of(one.title, one.content_type), poster_address(one.poster_path))

    @property
    def facts(self) -> str:
        """Year, length and genres in a line."""
        one = self.title
        return facts_line(
            one.content_type,
            year=one.year,
            minutes=one.runtime,
            seasons=one.seasons,
            genres=one.genres,
        )


def picture_of(one: Poster | WatchlistItem) -> Picture:
    """The poster of a title as lists keep it."""
    return Picture(drawing_of(one.title, one.content_type), poster_address(one.poster_url))
