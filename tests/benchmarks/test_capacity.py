from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from benchmarks.capacity import measuring, metered_engine
from commonroom.accounts.tables import User, tables
from commonroom.shareables.tables import GuestStorage, guest_pages
from commonroom.shareables.tables import tables as shareables
from commonroom.store import ConditionFailed, Store, add, create, delete, equal, update

PERSON = User(
    user_id="ann", email="ann@home.example", display_name="Ann", created_at="2026-05-31T18:00:00Z"
)
LONG = "x" * 1500


@pytest.fixture
async def store(empty_dynamodb: str) -> AsyncIterator[Store]:
    async with metered_engine(empty_dynamodb) as engine:
        await engine.create_tables([*tables, *shareables])
        yield Store(engine)


async def test_every_item_of_a_transaction_counts_two_units_for_each_kilobyte(store: Store) -> None:
    with measuring() as usage:
        await store.write(*(create(GuestStorage(shard=shard)) for shard in range(5)))
    assert set(usage.writes.values()) == {1}
    assert usage.figures == (1, 0, 10)


async def test_an_index_counts_where_its_copy_changes_and_twice_where_its_key_does(
    store: Store,
) -> None:
    with measuring() as made:
        await store.write(create(PERSON))  # also in the index by e-mail address
    with measuring() as renamed:
        await store.write(update(PERSON, display_name="Anna"))
    with measuring() as moved:
        await store.write(update(PERSON, email="anna@home.example"))
    with measuring() as grown:
        await store.write(update(PERSON, display_name=LONG))
    with measuring() as deleted:
        await store.write(delete(PERSON))
    counted = [one.write_units for one in (made, renamed, moved, grown, deleted)]
    assert counted == [4, 4, 6, 8, 8]


async def test_a_read_of_what_is_not_there_counts_as_well(store: Store) -> None:
    nobody = replace(PERSON, user_id="nobody").ref
    with measuring() as one:
        await store.get(nobody)
    with measuring() as several:
        await store.batch_get([nobody, PERSON.ref])
    with measuring() as page:
        await store.page(guest_pages(shard=1), limit=10)
    assert [one.figures, several.figures, page.figures] == [(1, 1, 0), (1, 2, 0), (1, 1, 0)]


async def test_a_write_whose_condition_fails_is_charged_and_counted(store: Store) -> None:
    await store.write(create(PERSON))
    with measuring() as usage, pytest.raises(ConditionFailed):
        await store.write(update(PERSON, if_=equal(display_name="Ben"), is_admin=True))
    assert (usage.figures, usage.failed_conditions) == ((1, 0, 2), 1)


async def test_transactions_at_the_same_item_in_the_same_moment_are_counted(store: Store) -> None:
    shard = GuestStorage(shard=1)
    await store.write(create(shard))
    with measuring() as usage:
        await asyncio.gather(*(store.write(update(shard, pages=add(1))) for _ in range(8)))
    assert usage.writes.most_common(1)[0][1] == 8
    assert 1 <= usage.overlaps <= 7


async def test_nothing_is_counted_of_what_happens_outside(store: Store) -> None:
    with measuring() as usage:
        pass
    await store.write(create(PERSON))
    assert usage.figures == (0, 0, 0)
