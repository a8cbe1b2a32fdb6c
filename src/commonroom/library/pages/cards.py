"""Cards: books and films as pages show them, their covers from this machine, and their loans."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from zlib import crc32

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.http.times import runtime
from commonroom.library import words
from commonroom.library.pages import addresses
from commonroom.library.rules.loans import overdue_from, today
from commonroom.library.tables import Book, Order, Video
from commonroom.moments import seconds
from commonroom.outgoing.pictures import BOXES, Size
from commonroom.titles.fetched_pictures import picture_answer, pictures_in
from commonroom.titles.posters import Drawing, drawing_of

TONES = 12
"""How many colours a drawn cover can have."""
BOOK_MOTIFS = (
    "leaf", "hills", "waves", "moon", "feather", "lamp",
    "tree", "bird", "house", "key", "boat", "sun",
)  # fmt: skip

SOON = 7
HALF_A_DAY = 12 * 3600


class BookCover(Struct, frozen=True):
    """A drawn cover, in the words of the style sheet."""

    tone: int
    """Its colour: that of its collection, so that a row looks like one."""
    motif: str
    """What is drawn: always the same, and another for each of a collection."""
    layout: int
    lettering: str
    """How large the title can be drawn."""


class LibraryItemCard(Struct, frozen=True, kw_only=True):
    """An item, as the caller may see it (see `service.access.hide_private`).

    What every list shows is worked out once; the rest where it is shown.
    """

    item: Book | Video
    title: str
    address: str
    """Its page."""
    by: str
    """Who made it, in words; empty where nobody knows."""
    is_book: bool
    """A film otherwise."""
    drawing: BookCover | Drawing
    """What is drawn for it; a film has the same in every room."""
    cover: str | None = None
    """Where its picture is; None where one is drawn."""

    @property
    def kind(self) -> str:
        """For the style sheet: `book` or `film`."""
        return "book" if self.is_book else "film"

    @property
    def kind_name(self) -> str:
        """For people."""
        return words.kind_name(self.item)

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


@lru_cache(maxsize=1024)
def cover_of(title: str, item_id: str, collection_id: str | None, order: Order | None) -> BookCover:
    """Returns how a book's cover is drawn."""
    row = collection_id or item_id
    number = crc32(item_id.encode()[::-1])
    if collection_id is not None and order is not None:
        number = crc32(collection_id.encode()) + int(order)
    layout = crc32(b"layout" + row.encode()) % 3
    motif = BOOK_MOTIFS[number % len(BOOK_MOTIFS)]
    return BookCover(tone_of(row), motif, layout, _lettering(title, layout))


def _lettering(title: str, layout: int) -> str:
    """No word is broken, and all of the title is there."""
    longest, length = max(map(len, title.split()), default=0), len(title)
    if longest <= 7 and length <= 14:
        return "large"
    if longest <= 9 and length <= 26:
        return "middle"
    widest = 10 if layout == 2 else 12  # a label is narrower
    return "small" if longest <= widest and length <= 46 else "tiny"


def tone_of(id_: str) -> int:
    """Returns the colour of what has an id: always the same."""
    return crc32(id_.encode()) % TONES


def card_of(
    item: Book | Video, request: Request | None = None, size: Size = "small"
) -> LibraryItemCard:
    """Returns an item's card; with its picture where the request says which installation's."""
    drawing: BookCover | Drawing
    if isinstance(item, Book):
        is_book, makers = True, item.authors
        drawing = cover_of(item.title, item.item_id, item.collection_id, item.order)
    else:
        is_book, makers = False, item.directors
        drawing = drawing_of(item.title)
    return LibraryItemCard(
        item=item,
        title=item.title,
        address=addresses.item(item.library_id, item.item_id),
        by=words.shorten_names(makers),
        is_book=is_book,
        drawing=drawing,
        cover=None if request is None else cover_address(request, item.picture_url, size),
    )


def cover_address(request: Request, picture_url: str | None, size: Size = "small") -> str | None:
    """Where an item's picture is: `small` for a shelf, `large` for its page; None without one."""
    name = pictures_in(request).name(picture_url) if picture_url else None
    return None if name is None else f"{addresses.COVERS}/{size}/{name}"


@get(f"{addresses.COVERS}/{{size:str}}/{{name:str}}", Need.SIGNED_IN)
async def cover(request: Request, size: str, name: str) -> Response[bytes]:
    """A cover; pages have drawn one already where there is none."""
    found = await pictures_in(request).picture(name, size) if size in BOXES else None
    return picture_answer(found)


class LoanCard(Struct, frozen=True):
    """A loan that lasts."""

    borrower: str
    since: str | None
    lasted: str | None
    """For how long, in words; None on the first day."""
    due: DueDay | None
    has_account: bool
    """Whether the borrower sees it among what they borrowed."""

    @property
    def is_overdue(self) -> bool:
        """Whether it should be back already."""
        return self.due is not None and self.due.is_overdue


class DueDay(Struct, frozen=True):
    """The day on which something should be back, seen from where the reader lives."""

    date: str
    moment: float
    """In the middle of that day there, to be written out."""
    days: int
    """How many days are left; below 0 where it is overdue."""

    @property
    def is_overdue(self) -> bool:
        """Whether it should be back already."""
        return self.days < 0

    @property
    def is_soon(self) -> bool:
        """Whether it should be back within a week."""
        return 0 <= self.days <= SOON

    @property
    def words(self) -> str:
        """When that is, such as `due in 5 days`."""
        return words.due_in_words(self.days)


def loan_of(item: Book | Video, now: float, reader: User) -> LoanCard | None:
    """Returns the loan of an item as the caller may see it; None where it stands on the shelf."""
    if item.lent_to is None:
        return None
    passed = 0.0 if item.lent_at is None else now - seconds(item.lent_at)
    return LoanCard(
        item.lent_to,
        item.lent_at,
        words.duration(passed) if passed >= words.DAY else None,
        due_day(item.due_date, now, reader),
        item.borrower_id is not None,
    )


def due_day(due: str | None, now: float, reader: User) -> DueDay | None:
    """Returns a due date as it is shown; None where there is none."""
    if due is None:
        return None
    left = date.fromisoformat(due) - date.fromisoformat(today(now, reader))
    return DueDay(due, overdue_from(due, reader) - HALF_A_DAY, left.days)


pages = Pages()
pages.include(cover)
