"""Cards: books and films as pages show them."""

from __future__ import annotations

from zlib import crc32

from msgspec import Struct

from commonroom.catalog.posters import Drawing, drawing_of
from commonroom.library import words
from commonroom.library.pages import addresses
from commonroom.library.pages.covers import cover_address
from commonroom.library.service.covers import Size
from commonroom.library.tables import Book, Video
from commonroom.web.request import Request
from commonroom.web.times import runtime

TONES = 12
"""How many colours a drawn cover can have."""
BOOK_MOTIFS = (
    "leaf", "hills", "waves", "moon", "feather", "lamp",
    "tree", "bird", "house", "key", "boat", "sun",
)  # fmt: skip


class ItemCard(Struct, frozen=True):
    """An item, as whoever looks may see it (see `service.access.hide_private`)."""

    item: Book | Video
    cover: str | None = None
    """Where its picture is; None where one is drawn."""

    @property
    def is_book(self) -> bool:
        """Whether it is a book; a film otherwise."""
        return isinstance(self.item, Book)

    @property
    def kind(self) -> str:
        """For the style sheet: `book` or `film`."""
        return "book" if self.is_book else "film"

    @property
    def kind_name(self) -> str:
        """For people."""
        return words.kind_name(self.item)

    @property
    def title(self) -> str:
        """Its title."""
        return self.item.title

    @property
    def address(self) -> str:
        """Its page."""
        return addresses.item(self.item.library_id, self.item.item_id)

    @property
    def people(self) -> list[str]:
        """Who made it: authors, or directors."""
        return self.item.authors if isinstance(self.item, Book) else self.item.directors

    @property
    def by(self) -> str:
        """Who made it, in words; empty where nobody knows."""
        return words.shorten_names(self.people)

    @property
    def facts(self) -> list[str]:
        """What can be said in a line: who made it, the year, how long it is."""
        known = [self.by]
        if isinstance(self.item, Video):
            known.append(str(self.item.release_year or ""))
            known.append(self.length)
        return [fact for fact in known if fact]

    @property
    def length(self) -> str:
        """How long a film is, in words; empty where nobody knows."""
        minutes = self.item.duration if isinstance(self.item, Video) else None
        return runtime(minutes) if minutes else ""

    @property
    def stars(self) -> str:
        """What its owner thinks of it, drawn; empty where they do not say."""
        return words.stars(self.item.rating) if self.item.rating else ""

    @property
    def status(self) -> str:
        """How far its owner is with it, to be translated; empty where they do not say."""
        return words.STATUSES[self.item.status] if self.item.status else ""

    @property
    def tone(self) -> int:
        """The colour of a book's cover: that of its collection, so that a row looks like one."""
        return tone_of(self.item.collection_id or self.item.item_id)

    @property
    def drawing(self) -> Drawing:
        """A film's drawing, which it has in every room."""
        return drawing_of(self.title)

    @property
    def motif(self) -> str:
        """What is drawn on a book: always the same, and another for each of a collection."""
        number = crc32(self.item.item_id.encode()[::-1])
        if self.item.collection_id is not None and self.item.order is not None:
            number = crc32(self.item.collection_id.encode()) + int(self.item.order)
        return BOOK_MOTIFS[number % len(BOOK_MOTIFS)]

    @property
    def layout(self) -> int:
        """How a book's cover is laid out."""
        return crc32(b"layout" + (self.item.collection_id or self.item.item_id).encode()) % 3

    @property
    def lettering(self) -> str:
        """How large a book's title can be drawn: no word is broken, and all of it is there."""
        longest, length = max(map(len, self.title.split()), default=0), len(self.title)
        if longest <= 7 and length <= 14:
            return "large"
        if longest <= 9 and length <= 26:
            return "middle"
        widest = 10 if self.layout == 2 else 12  # a label is narrower
        return "small" if longest <= widest and length <= 46 else "tiny"


def tone_of(id_: str) -> int:
    """The colour of what has an id: always the same."""
    return crc32(id_.encode()) % TONES


def card_of(item: Book | Video, request: Request | None = None, size: Size = "small") -> ItemCard:
    """An item's card; with its picture where the request says which installation's."""
    if request is None:
        return ItemCard(item)
    return ItemCard(item, cover_address(request, item.picture_url, size))
