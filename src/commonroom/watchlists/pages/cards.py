"""Lists and titles as pages show them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct

from commonroom.http.request import Request
from commonroom.outgoing.pictures import FetchedPictures
from commonroom.titles.fetched_pictures import picture_address, pictures_in, title_poster
from commonroom.titles.posters import Drawing, drawing_of
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.titles.words import facts_line
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.rules.lists import own_picture
from commonroom.watchlists.tables import Poster, Watchlist, WatchlistItem

FANNED = 5
"""How many posters a list's card shows."""


class Picture(Struct, frozen=True):
    """A title's poster: what is drawn, and the picture before it where there is one."""

    drawing: Drawing
    poster: str | None = None


class CuratorFace(Struct, frozen=True):
    """A curator's picture, as lists keep it."""

    avatar_key: str | None
    display_name: str
    picture: str | None = None
    """Where this server has the one that they chose; shown before what is drawn."""


class ListCard(Struct, frozen=True, dict=True):
    """A list among others."""

    watchlist: Watchlist
    fetched: FetchedPictures

    @property
    def address(self) -> str:
        """Its page."""
        return addresses.watchlist(self.watchlist.watchlist_id)

    @property
    def curator_address(self) -> str:
        """Its curator's page."""
        return addresses.curator(self.watchlist.curator_name or "")

    @property
    def curator(self) -> CuratorFace:
        """Its curator's face."""
        one = self.watchlist
        picture = self.fetched.address(one.curator_avatar_url)
        return CuratorFace(one.curator_avatar_key, one.curator_name or "?", picture)

    @property
    def cover(self) -> str | None:
        """Where this server has the picture that its owner chose; shown before its posters."""
        return self.fetched.address(own_picture(self.watchlist), "large")

    @cached_property
    def pictures(self) -> list[Picture]:
        """The posters that are fanned out; the first one lies on top."""
        return [picture_of(one, self.fetched) for one in self.watchlist.posters[:FANNED]]


def list_cards(request: Request, lists: Iterable[Watchlist]) -> list[ListCard]:
    """Lists among others, with the pictures of this installation."""
    fetched = pictures_in(request)
    return [ListCard(one, fetched) for one in lists]


class WatchlistItemCard(Struct, frozen=True):
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
    item: WatchlistItem,
    number: int,
    fetched: FetchedPictures,
    *,
    is_seen: bool = False,
    is_new: bool = False,
) -> WatchlistItemCard:
    """Returns a title as a list shows it."""
    title = TitleId.of(item)
    return WatchlistItemCard(
        item,
        number,
        title.address,
        picture_of(item, fetched),
        facts_line(
            title.content_type,
            year=item.year,
            minutes=item.runtime,
            seasons=item.number_of_seasons,
            genres=item.genres,
        ),
        anchor_of(title),
        is_seen,
        is_new,
    )


def anchor_of(title: TitleId) -> str:
    """Returns where a title stands on the page of its list."""
    return f"{title.content_type.lower()}-{title.content_id}"


class TitleHitCard(Struct, frozen=True, dict=True):
    """A title that was looked for, to be added to a list."""

    title: TitleFacts
    fetched: FetchedPictures
    is_listed: bool = False
    """Whether it is on the list already."""
    is_called: bool = False
    """Whether it has the name that was typed, so that Enter adds it."""

    @cached_property
    def picture(self) -> Picture:
        """Its poster."""
        one = self.title
        drawing = drawing_of(one.title, one.content_type)
        return Picture(drawing, title_poster(self.fetched, one))

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


def picture_of(one: Poster | WatchlistItem, fetched: FetchedPictures) -> Picture:
    """Returns the poster of a title as lists keep it."""
    drawing = drawing_of(one.title, one.content_type)
    return Picture(drawing, picture_address(fetched, one.poster_url))
