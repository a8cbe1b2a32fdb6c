"""What may be done in and around a library in the same moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.collections import (
    change_collection,
    create_collection,
    delete_collection,
)
from commonroom.library.service.history import clear_history
from commonroom.library.service.items import add_item, change_item, delete_item
from commonroom.library.service.libraries import (
    change_library,
    delete_library,
    leave,
    share,
    unshare,
)
from commonroom.library.service.loans import lend, return_item
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Book, Collection, Library, owner_id_of
from commonroom.store import Store, delete, update
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, collection_of, library_of, somebody

Doings: TypeAlias = Callable[[Store], list[Awaitable[Any]]]
"""What is done at once, in a store."""

Scene: TypeAlias = Callable[["Room"], Awaitable[Doings]]

BEN, EVE = "ben@example.org", "eve@example.org"


class Room:
    """Ada's library with a collection and a book in it, another of hers, and Ben and Eve."""

    ada: User
    ben: User
    eve: User
    home: Library
    attic: Library
    amber: Collection
    book: Book

    def __init__(self, store: Store, clock: Watch) -> None:
        self.store, self.clock = store, clock

    async def furnish(self) -> None:
        """Puts everything there."""
        store, clock = self.store, self.clock
        self.ada, self.ben, self.eve = [
            await somebody(store, clock, name) for name in ("Ada", "Ben", "Eve")
        ]
        self.home = await library_of(store, clock, self.ada, "Home")
        self.attic = await library_of(store, clock, self.ada, "Attic")
        self.amber = await collection_of(store, clock, self.ada, self.home, "Amber")
        self.book = await book_of(
            store, clock, self.ada, self.home, "Nine", collection_id=self.amber.collection_id
        )

    def at(self, on: Store) -> tuple[Context, str]:
        """Ada asks about her library."""
        return Context(on, self.ada, self.clock()), self.home.library_id

    def of_book(self, on: Store) -> tuple[Context, str, str]:
        """Ada asks about her book."""
        return *self.at(on), self.book.item_id

    def adds(self, on: Store, **given: Any) -> Awaitable[Any]:
        """Ada adds a book."""
        return add_item(*self.at(on), kind=Book, given={"title": "New", **given})

    def adds_to_amber(self, on: Store) -> Awaitable[Any]:
        """Ada adds a book to the collection."""
        return self.adds(on, collection_id=self.amber.collection_id)

    def renames_amber(self, on: Store, name: str) -> Awaitable[Any]:
        """Ada renames the collection."""
        return change_collection(*self.at(on), self.amber.collection_id, name=name)

    def deletes_amber(self, on: Store) -> Awaitable[Any]:
        """Ada deletes the collection."""
        return delete_collection(
            Context(on, self.ada), self.home.library_id, self.amber.collection_id
        )

    def deletes_home(self, on: Store, *, force: bool = False) -> Awaitable[Any]:
        """Ada deletes the library."""
        return delete_library(Context(on, self.ada), self.home.library_id, force=force)


async def two_lends(room: Room) -> Doings:
    """A book is lent to two people."""
    return lambda on: [lend(*room.of_book(on), to=name) for name in ("Ben", "Eve")]


async def two_returns(room: Room) -> Doings:
    """A book is taken back twice."""
    await lend(*room.of_book(room.store), to="Ben", email=BEN)
    return lambda on: [return_item(*room.of_book(on)) for _ in range(2)]


async def a_lend_and_a_delete(room: Room) -> Doings:
    """A book is lent while it is deleted."""
    return lambda on: [lend(*room.of_book(on), to="Ben"), delete_item(*room.of_book(on))]


async def a_lend_and_the_end_of_the_library(room: Room) -> Doings:
    """A book is lent while its library is deleted."""
    return lambda on: [lend(*room.of_book(on), to="Ben", email=BEN), room.deletes_home(on)]


async def a_lend_and_a_move(room: Room) -> Doings:
    """A book is lent while it moves."""
    return lambda on: [
        lend(*room.of_book(on), to="Ben", email=BEN, due="2033-01-01", past_due=True),
        move_item(*room.of_book(on), to=room.attic.library_id),
    ]


async def two_moves(room: Room) -> Doings:
    """A book with a history is moved twice."""
    for _ in range(3):
        await lend(*room.of_book(room.store), to="Ben")
        await return_item(*room.of_book(room.store))
    return lambda on: [move_item(*room.of_book(on), to=room.attic.library_id) for _ in range(2)]


async def a_move_and_the_end_of_where_it_goes(room: Room) -> Doings:
    """A book moves into a library that is deleted."""
    await lend(*room.of_book(room.store), to="Ben")
    return lambda on: [
        move_item(*room.of_book(on), to=room.attic.library_id),
        delete_library(Context(on, room.ada), room.attic.library_id),
    ]


async def a_move_and_the_end_of_where_it_was(room: Room) -> Doings:
    """A book moves out of a library that is deleted."""
    await lend(*room.of_book(room.store), to="Ben")
    await return_item(*room.of_book(room.store))
    return lambda on: [
        move_item(*room.of_book(on), to=room.attic.library_id),
        room.deletes_home(on, force=True),
    ]


async def clearing_and_lending(room: Room) -> Doings:
    """A history is cleared while the book is lent again."""
    await lend(*room.of_book(room.store), to="Ben")
    await return_item(*room.of_book(room.store))
    return lambda on: [
        clear_history(Context(on, room.ada), room.home.library_id, room.book.item_id),
        lend(*room.of_book(on), to="Eve"),
    ]


async def two_collections_of_one_name(room: Room) -> Doings:
    """Two collections are made of which one could be the other."""
    return lambda on: [create_collection(*room.at(on), name=name) for name in ("Été", "ete", "ÉTÉ")]


async def a_rename_and_a_collection_of_that_name(room: Room) -> Doings:
    """A collection is given the name of one that is being made."""
    return lambda on: [
        room.renames_amber(on, "Ambre"),
        create_collection(*room.at(on), name="ambre"),
    ]


async def two_renames(room: Room) -> Doings:
    """A collection is given two names."""
    return lambda on: [room.renames_amber(on, name) for name in ("One", "Two")]


async def adding_to_a_collection_that_is_deleted(room: Room) -> Doings:
    """A book is put into a collection that goes."""
    return lambda on: [room.adds_to_amber(on), room.deletes_amber(on), room.adds_to_amber(on)]


async def adding_to_a_collection_that_is_renamed(room: Room) -> Doings:
    """A book is put into a collection that gets another name."""
    return lambda on: [room.adds_to_amber(on), room.renames_amber(on, "Other")]


async def eight_adds_to_one_collection(room: Room) -> Doings:
    """Eight books take the next free place."""
    return lambda on: [room.adds_to_amber(on) for _ in range(8)]


async def adds_and_deletes(room: Room) -> Doings:
    """Books come and go."""
    return lambda on: [
        room.adds(on),
        delete_item(*room.of_book(on)),
        room.adds(on, isbn="9780261103252"),
        room.adds(on, isbn="0261103253"),
        delete_item(*room.of_book(on)),
    ]


async def adding_to_a_library_that_is_deleted(room: Room) -> Doings:
    """Books and collections are put into a library that goes."""
    return lambda on: [
        room.adds_to_amber(on),
        create_collection(*room.at(on), name="New"),
        room.deletes_home(on),
        room.adds(on),
        room.renames_amber(on, "Other"),
    ]


async def out_of_a_collection_that_is_deleted(room: Room) -> Doings:
    """A book leaves a collection that goes."""
    return lambda on: [
        change_item(*room.of_book(on), given={"collection_id": None}),
        room.deletes_amber(on),
        change_item(*room.of_book(on), given={"title": "Other"}),
    ]


async def two_shares_with_one_person(room: Room) -> Doings:
    """A library is shared with somebody twice, and with somebody else."""
    return lambda on: [share(*room.at(on), email) for email in (BEN, BEN, EVE)]


async def two_ends_of_a_share(room: Room) -> Doings:
    """A share is ended from both sides."""
    await share(*room.at(room.store), BEN)
    return lambda on: [
        unshare(*room.at(on), owner_id_of(room.ben.user_id)),
        leave(Context(on, room.ben, room.clock()), room.home.library_id),
    ]


async def a_share_and_the_end_of_the_library(room: Room) -> Doings:
    """A library is shared while it is deleted."""
    return lambda on: [share(*room.at(on), BEN), room.deletes_home(on)]


async def a_share_and_a_rename(room: Room) -> Doings:
    """A library is shared while it and its owner get other names."""
    return lambda on: [
        share(*room.at(on), BEN),
        change_library(*room.at(on), name="House"),
        on.write(update(room.ada.ref, display_name="Adele")),
        room.adds(on),
    ]


async def a_share_and_the_end_of_the_recipient(room: Room) -> Doings:
    """A library is shared with, and a book lent to, somebody who is deleted."""
    return lambda on: [
        share(*room.at(on), BEN),
        on.write(delete(room.ben)),
        lend(*room.of_book(on), to="Ben", email=BEN),
    ]


async def the_end_of_the_owner(room: Room) -> Doings:
    """An account is deleted while its owner is busy."""
    return lambda on: [
        room.adds(on),
        on.write(delete(room.ada)),
        library_of(on, room.clock, room.ada, "Last"),
        share(*room.at(on), BEN),
        lend(*room.of_book(on), to="Ben", email=BEN),
    ]


SCENES: list[Scene] = [
    two_lends,
    two_returns,
    a_lend_and_a_delete,
    a_lend_and_the_end_of_the_library,
    a_lend_and_a_move,
    two_moves,
    a_move_and_the_end_of_where_it_goes,
    a_move_and_the_end_of_where_it_was,
    clearing_and_lending,
    two_collections_of_one_name,
    a_rename_and_a_collection_of_that_name,
    two_renames,
    adding_to_a_collection_that_is_deleted,
    adding_to_a_collection_that_is_renamed,
    eight_adds_to_one_collection,
    adds_and_deletes,
    adding_to_a_library_that_is_deleted,
    out_of_a_collection_that_is_deleted,
    two_shares_with_one_person,
    two_ends_of_a_share,
    a_share_and_the_end_of_the_library,
    a_share_and_a_rename,
    a_share_and_the_end_of_the_recipient,
    the_end_of_the_owner,
]
