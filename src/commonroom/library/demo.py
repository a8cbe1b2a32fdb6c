"""Two libraries for the demonstration: what is on the shelves, and a year of lending.

Everything is added, lent and returned as people would do it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, Literal

import msgspec
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import User
from commonroom.library.rules.items import MAX_CAST
from commonroom.library.rules.loans import today
from commonroom.library.service.collections import create_collection
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library, share
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Book, Video
from commonroom.store import Store
from commonroom.titles.builtin import known_films
from commonroom.titles.films import Film

RUTH, KARL, OKAFOR, SAM = "Grandma Ruth", "Uncle Karl", "Mrs Okafor", "Sam from work"
INES, TOM = "Inès", "Tom"
DAY = 24 * 3600.0
BEGUN = 350 * DAY
HANDS = 8
"""How many things are put on a shelf at once."""


class DemoLoan(Struct, frozen=True):
    """A loan; days count back from today."""

    title: str
    to: str
    lent: int
    returned: int | None = None
    """None while it lasts."""
    due: int | None = None
    """In so many days; a negative one was so long ago."""
    has_account: bool = False


LOANS: Sequence[DemoLoan] = (
    DemoLoan("Pride and Prejudice", RUTH, 340, 301),
    DemoLoan("Mort", TOM, 330, 318),
    DemoLoan("The Name of the Rose", KARL, 322, 240),
    DemoLoan("Asterix in Britain", TOM, 310, 296),
    DemoLoan("Akira", SAM, 305, 290),
    DemoLoan("Guards! Guards!", TOM, 298, 281),
    DemoLoan("Amélie", INES, 290, 283),
    DemoLoan("My Brilliant Friend", OKAFOR, 276, 251),
    DemoLoan("The Story of a New Name", OKAFOR, 251, 228),
    DemoLoan("Dune", SAM, 247, 198),
    DemoLoan("Those Who Leave and Those Who Stay", OKAFOR, 228, 205),
    DemoLoan("Comet in Moominland", INES, 221, 207),
    DemoLoan("Blade Runner", TOM, 214, 200),
    DemoLoan("The Story of the Lost Child", OKAFOR, 205, 176),
    DemoLoan("Emma", RUTH, 190, 162),
    DemoLoan("Dune", TOM, 181, 139),
    DemoLoan("The Hidden Life of Trees", KARL, 170, 121),
    DemoLoan("Tintin in Tibet", TOM, 166, 158),
    DemoLoan("Persuasion", RUTH, 160, 131),
    DemoLoan("Spirited Away", INES, 150, 143),
    DemoLoan("Mort", INES, 132, 104),
    DemoLoan("Run Lola Run", SAM, 118, 111),
    DemoLoan("Beloved", OKAFOR, 109, 77),
    DemoLoan("Hot Fuzz", TOM, 96, 88),
    DemoLoan("Piranesi", INES, 84, 61),
    DemoLoan("The Lives of Others", KARL, 70, 63),
    DemoLoan("Emma", OKAFOR, 58, 33),
    DemoLoan("Watchmen", SAM, 45, 20),
    DemoLoan("The Master and Margarita", RUTH, 52, due=-9),
    DemoLoan("Station Eleven", INES, 27, due=1, has_account=True),
    DemoLoan("The Hitchhiker's Guide to the Galaxy", TOM, 12, due=18, has_account=True),
    DemoLoan("Jerusalem", OKAFOR, 6),
    DemoLoan("Parasite", SAM, 3, due=11),
)


async def seed_demo(store: Store, now: float, demo: DemoPeople) -> None:
    """Fills a library of both parents, shares both, and lends from them for a year."""
    maya, jonas = demo.maya, demo.jonas
    friends = {one.display_name: one for one in demo.friends}
    people = {"maya": (maya, [jonas, friends[INES]]), "jonas": (jonas, [maya])}
    living = []
    for written in read_shelves():
        person, others = people[written.owner]
        living.append(LibraryYear(store, now, person, friends).with_shelves(written, others))
    await asyncio.gather(*living)


class LibraryYear(Struct, frozen=True):
    """A person's year with a library."""

    store: Store
    now: float
    person: User
    friends: Mapping[str, User]

    async def with_shelves(self, written: DemoLibrary, others: Iterable[User]) -> None:
        """All of it: the library begins a year ago and is shared a day later."""
        begun = self._ago(BEGUN)
        library = await create_library(begun, name=written.name, description=written.description)
        added = await LibraryFiller(begun, library.library_id).all_of(written)
        for other in others:
            address = other.email or ""
            await share(self._ago(BEGUN - DAY), library.library_id, address)
        await asyncio.gather(*(self._lends(one) for one in added))

    async def _lends(self, item: Book | Video) -> None:
        """Everything that happened to an item, in order."""
        for loan in LOANS:
            if loan.title == item.title:
                await self._lend(item, loan)

    async def _lend(self, item: Book | Video, loan: DemoLoan) -> None:
        place = (item.library_id, item.item_id)
        due = None if loan.due is None else today(self.now + loan.due * DAY, self.person)
        email = self.friends[loan.to].email if loan.has_account else None
        lent = self._ago(loan.lent * DAY)
        await lend(lent, *place, to=loan.to, due=due, email=email)
        if loan.returned is not None:
            await return_item(self._ago(loan.returned * DAY), *place)

    def _ago(self, seconds: float) -> Context:
        return Context(self.store, self.person, self.now - seconds)


class LibraryFiller(Struct, frozen=True):
    """Putting things into a new library."""

    ctx: Context
    library_id: str

    async def all_of(self, written: DemoLibrary) -> list[Book | Video]:
        """Adds everything that is written down, several at once; returns what was added."""
        added: list[Book | Video] = []
        work = chain(
            (self._collection(one, written.series(one)) for one in written.collections),
            (self._add([one]) for one in written.others()),
        )

        async def hand() -> None:
            for one in work:
                added.extend(await one)

        await asyncio.gather(*(hand() for _ in range(HANDS)))
        return added

    async def _collection(self, one: DemoSeries, things: Iterable[DemoItem]) -> list[Book | Video]:
        """Adds its items one after the other, which gives them their places."""
        made = await create_collection(
            self.ctx, self.library_id, name=one.name, description=one.description
        )
        return await self._add(things, collection_id=made.collection_id)

    async def _add(self, things: Iterable[DemoItem], **place: str) -> list[Book | Video]:
        added = [
            await add_item(self.ctx, self.library_id, kind=one.kind, given=one.given | place)
            for one in things
        ]
        return [one.item for one in added]


class DemoSeries(Struct, frozen=True, forbid_unknown_fields=True):
    """A collection, with books of one author or with films, in their order."""

    name: str
    description: str | None = None
    by: str = ""
    books: list[str] = []
    films: list[str] = []


class DemoLibrary(Struct, frozen=True, forbid_unknown_fields=True):
    """A library. Books stand under who wrote them; films are known by the catalogue's titles."""

    owner: Literal["maya", "jonas"]
    name: str
    description: str
    collections: list[DemoSeries]
    books: dict[str, list[str]]
    films: list[str]
    isbns: dict[str, str]
    """Of some books, by title."""
    summaries: dict[str, str]

    def book(self, title: str, by: str) -> DemoItem:
        """Returns a book to be added."""
        given: dict[str, Any] = {"title": title, "authors": by.split(" & ")}
        told = {"isbn": self.isbns.get(title), "summary": self.summaries.get(title)}
        return DemoItem(Book, given | {field: one for field, one in told.items() if one})

    def series(self, one: DemoSeries) -> list[DemoItem]:
        """Returns what is in a collection, in order."""
        return [*(self.book(title, one.by) for title in one.books), *map(film, one.films)]

    def others(self) -> list[DemoItem]:
        """Returns what stands by itself."""
        books = [self.book(title, by) for by, titles in self.books.items() for title in titles]
        return [*books, *map(film, self.films)]


class DemoItem(Struct, frozen=True):
    """A book or a video to be added."""

    kind: type[Book | Video]
    given: dict[str, Any]


@cache
def read_shelves() -> tuple[DemoLibrary, ...]:
    """Both libraries."""
    written = (files("commonroom.library") / "demo_shelves.json").read_bytes()
    return msgspec.json.decode(written, type=tuple[DemoLibrary, ...])


def film(title: str) -> DemoItem:
    """Returns a film to be added, with what the catalogue knows of it."""
    known = _films()[title]
    given = {
        "title": known.title,
        "summary": known.overview,
        "directors": list(known.makers),
        "cast": list(known.cast[:MAX_CAST]),
        "release_year": known.year,
        "duration": known.runtime,
        "tmdb_id": known.tmdb_movie_id,
    }
    return DemoItem(Video, given)


@cache
def _films() -> dict[str, Film]:
    return {one.title: one for one in known_films()}
