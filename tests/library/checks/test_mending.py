"""Each thing that can drift: named in a sentence, mended, and then all is well."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import AddressClaim
from commonroom.library.rules.names import new_id
from commonroom.library.tables import (
    Book,
    BorrowedItem,
    Collection,
    CollectionName,
    Library,
    LoanEvent,
    SharedLibrary,
    Video,
    owner_id_of,
)
from commonroom.store import Store, delete
from tests.library.bookcase import check_bookcases, drift, everything_of, left_of_room, tidied
from tests.library.checks.example import House, parts_of
from tests.library.checks.faults import (
    BREAKS,
    Break,
    items_of_library,
    loan_without_pointer,
    no_code,
    share_without_pointer,
)


async def test_where_nothing_is_broken_nothing_is_found(house: House) -> None:
    assert await drift(house.store) == []
    await check_bookcases(house.store.engine)


@pytest.mark.parametrize("breaks", BREAKS, ids=lambda breaks: breaks.__name__)
async def test_what_is_broken_is_named_and_mended(house: House, breaks: Break) -> None:
    kind, sentence = BREAKS[breaks]
    before = await left_of_room(house.store.engine)
    await breaks(house)

    found = await drift(house.store)
    assert (kind, True) in [(one.check, sentence in one.detail) for one in found], found
    assert not any(one.repaired for one in found)

    mended = await drift(house.store, repair=True)
    assert all(one.repaired for one in mended), mended
    assert await drift(house.store) == []
    await tidied(house.store, house.clock)
    assert await drift(house.store) == []
    await check_bookcases(house.store.engine)
    # Whoever's account is gone has no pointer any more.
    kept = {"BorrowedItem": before["BorrowedItem"]}
    assert await left_of_room(house.store.engine) | kept == before


async def test_nothing_that_is_well_is_touched(house: House) -> None:
    await items_of_library(house)
    await no_code(house)
    kinds = (Book, Video, LoanEvent, Collection, CollectionName, SharedLibrary, BorrowedItem)
    before = [await everything_of(house.store.engine, kind) for kind in kinds]
    await drift(house.store, repair=True)
    assert [await everything_of(house.store.engine, kind) for kind in kinds] == before


@pytest.mark.parametrize("state", ["arriving", "ready", "running"])
async def test_what_an_import_still_needs_is_left_alone(house: House, state: Any) -> None:
    shipment = house.shipment(state)
    await house.load(shipment, *parts_of(shipment))
    assert await drift(house.store) == []


@pytest.mark.parametrize("state", ["done", "cancelled"])
async def test_of_an_import_that_is_over_the_report_is_kept(house: House, state: Any) -> None:
    shipment = house.shipment(state)
    rows, report = parts_of(shipment)
    await house.load(shipment, rows, report)
    (mended,) = await drift(house.store, repair=True)
    assert (mended.detail, mended.repaired) == ("It belongs to an import that is finished.", True)
    assert mended.key == rows.ref.key
    assert await drift(house.store) == []


async def test_nothing_is_kept_of_an_import_that_another_took_the_place_of(house: House) -> None:
    now, before = house.shipment("running"), house.shipment("running")
    await house.load(now, *parts_of(now), *parts_of(before))
    mended = await drift(house.store, repair=True)
    assert {one.key for one in mended} == {one.ref.key for one in parts_of(before)}
    assert all(one.repaired for one in mended)
    assert await drift(house.store) == []


async def test_a_collection_of_which_there_are_two_is_left_to_people(house: House) -> None:
    await house.load(replace(house.amber, collection_id=new_id(), item_count=0, last_order=None))
    (found,) = await drift(house.store, repair=True)
    assert (found.check, found.repaired) == ("names", False)
    assert "Another collection has the same name" in found.detail
    assert "Only a person" in found.detail


async def test_the_share_of_an_address_that_somebody_else_has_now_ends(house: House) -> None:
    await share_without_pointer(house)
    taken = AddressClaim(address="ben@example.org", user_id=house.ada.user_id, made_at="2026-01-01")
    await house.load(taken)
    await drift(house.store, repair=True)
    home = await house.store.get(house.home.ref)
    assert isinstance(home, Library)
    assert (home.shared_to, home.shared_to_ids) == ([], [])
    assert await drift(house.store) == []


async def test_libraries_without_an_account_are_left_to_people(store: Store, house: House) -> None:
    there = await left_of_room(store.engine)
    await store.write(delete(house.ada))
    found = await drift(store, repair=True)
    assert [(one.check, one.repaired) for one in found] == [("orphans", False)] * 2
    assert {"“Home”" in one.detail for one in found} == {True, False}
    assert await left_of_room(store.engine) == there


async def test_all_that_is_left_of_a_library_that_is_gone_goes(store: Store, house: House) -> None:
    await store.write(delete(house.home))
    assert all(one.repaired for one in await drift(store, repair=True))
    await drift(store, repair=True)
    assert await drift(store) == []
    assert await left_of_room(store.engine) == {"Library": 1}


async def test_the_owner_of_a_share_and_a_loan_finds_them_again(house: House) -> None:
    await share_without_pointer(house)
    await loan_without_pointer(house)
    await drift(house.store, repair=True)
    assert await house.store.get(house.borrowed.ref) == house.borrowed
    pointer = await house.pointer()
    assert pointer.shared_to_id == owner_id_of(house.ben.user_id)
    assert (pointer.shared_from_name, pointer.library_name) == ("Ada", "Home")
