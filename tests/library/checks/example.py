"""Libraries with a bit of everything in them, to be broken."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.rules.names import new_id
from commonroom.library.service.imports.lifecycle import IMPORTS
from commonroom.library.service.libraries import share
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Collection,
    CollectionName,
    ItemCode,
    Library,
    LibraryImport,
    LibraryImportReport,
    LibraryImportRows,
    LoanEvent,
    SharedLibrary,
    Video,
    owner_id_of,
)
from commonroom.moments import iso
from commonroom.store import Entity, Store
from commonroom.store.values import Item
from tests.accounts.people import Watch
from tests.library.bookcase import (
    ISBN,
    book_of,
    collection_of,
    everything_of,
    library_of,
    now_of,
    somebody,
    tidied,
    video_of,
)


class House(Struct):
    """Ada's libraries, one of them shared with Ben, who has a book of it."""

    store: Store
    clock: Watch
    ada: User
    ben: User
    home: Library
    attic: Library
    amber: Collection
    book: Book
    """In the collection, lent to Ben, with an ISBN and a history."""
    video: Video

    @classmethod
    async def furnished(cls, store: Store, clock: Watch) -> House:
        """Puts everything there."""
        ada, ben = [await somebody(store, clock, name) for name in ("Ada", "Ben")]
        home = await library_of(store, clock, ada, "Home")
        attic = await library_of(store, clock, ada, "Attic")
        amber = await collection_of(store, clock, ada, home, "Amber")
        place = {"collection_id": amber.collection_id}
        book = await book_of(store, clock, ada, home, "Nine", isbn=ISBN, **place)
        await book_of(store, clock, ada, home, "Guns", **place)
        video = await video_of(store, clock, ada, home, "Alien")
        await lend(Context(store, ada, clock()), home.library_id, book.item_id, to="Eve")
        await return_item(Context(store, ada, clock()), home.library_id, book.item_id)
        await lend(
            Context(store, ada, clock()),
            home.library_id,
            book.item_id,
            to="Ben",
            email="ben@example.org",
        )
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
        await tidied(store, clock)
        return cls(
            store=store,
            clock=clock,
            ada=ada,
            ben=ben,
            home=await now_of(store, home),
            attic=attic,
            amber=await now_of(store, amber),
            book=await now_of(store, book),
            video=video,
        )

    async def load(self, *things: Entity, **attributes: Any) -> None:
        """Stores things with other attributes, past all rules; None takes one out."""
        for thing in things:
            item: Item = thing.to_item() | attributes
            kept = {name: value for name, value in item.items() if value is not None}
            await self.store.engine.load(thing.schema.table, [kept])

    @property
    def code(self) -> ItemCode:
        """By which other copies of the book are found."""
        return ItemCode(**place_of(self.book), code=f"isbn-{ISBN}")

    @property
    def claim(self) -> CollectionName:
        """The collection's claim to its name."""
        return CollectionName(
            owner_id=self.amber.owner_id,
            library_id=self.amber.library_id,
            name=self.amber.name,
            collection_id=self.amber.collection_id,
        )

    @property
    def borrowed(self) -> BorrowedItem:
        """What leads Ben to the book."""
        return BorrowedItem(
            borrower_id=owner_id_of(self.ben.user_id), **place_of(self.book), type=0
        )

    def shipment(
        self, state: Literal["arriving", "ready", "running", "done", "cancelled"]
    ) -> LibraryImport:
        """A file on its way into the library."""
        return LibraryImport(
            owner_id=self.home.owner_id,
            library_id=self.home.library_id,
            import_id=new_id(),
            account_id=self.ada.user_id,
            file_name="shelf.csv",
            state=state,
            created_at=iso(self.clock()),
            kept_until=iso(self.clock()),
        )

    async def pointer(self) -> SharedLibrary:
        """What leads Ben to the library."""
        (pointer,) = await everything_of(self.store.engine, SharedLibrary)
        return pointer

    async def events(self) -> list[LoanEvent]:
        """The history of the book."""
        return await everything_of(self.store.engine, LoanEvent)


def parts_of(shipment: LibraryImport) -> tuple[LibraryImportRows, LibraryImportReport]:
    """What is kept of a file."""
    of = IMPORTS.key(shipment)
    return LibraryImportRows(**of, part=0, rows=b""), LibraryImportReport(**of, preview=b"{}")


def place_of(item: Book | Video) -> dict[str, str]:
    """Where an item is."""
    return {"owner_id": item.owner_id, "library_id": item.library_id, "item_id": item.item_id}
