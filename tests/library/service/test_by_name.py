"""Collections by their names."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField, NotFound
from commonroom.library.service.collections import collection_names, find_or_create_collection
from commonroom.library.tables import Library
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.library.bookcase import collection_of


async def test_one_is_found_however_its_name_is_typed(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    made = await collection_of(store, clock, ada, home, "Astérix")
    for typed in ("Astérix", "asterix", " ASTERIX "):
        with counting() as tally:
            found = await find_or_create_collection(
                Context(store, ada, clock()), home.library_id, typed
            )
        assert (found, tally.requests) == (made.collection_id, 2)


async def test_one_that_is_not_there_is_made_once(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    found = await asyncio.gather(
        *(
            find_or_create_collection(Context(store, ada, clock()), home.library_id, "Moomins")
            for _ in range(8)
        )
    )
    assert len(set(found)) == 1
    assert await collection_names(store, home) == ["Moomins"]


async def test_a_name_must_fit_and_the_library_be_ones_own(
    store: Store, clock: Watch, ada: User, eve: User, home: Library
) -> None:
    with pytest.raises(InvalidField):
        await find_or_create_collection(Context(store, ada, clock()), home.library_id, "x" * 101)
    with pytest.raises(NotFound):
        await find_or_create_collection(Context(store, eve, clock()), home.library_id, "Moomins")
    assert await collection_names(store, home) == []


async def test_names_are_in_alphabetical_order(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    for name in ("zoo", "Élan", "Emma", "Alps"):
        await collection_of(store, clock, ada, home, name)
    assert await collection_names(store, home) == ["Alps", "Élan", "Emma", "zoo"]
