"""A read that fails leaves nothing behind, and a damaged item is left to whoever asks for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from commonroom.store import Store, delete, put, stored, update
from commonroom.store.damage import tolerating_damage
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import DamagedItem
from tests.support import world
from tests.support.world import TABLES, Book

ITEM = {"Kind": "BOOK", "HouseId": "h", "BookId": "b"}
WHOLE = msgspec.msgpack.encode(ITEM)
DAMAGE = {
    "another type": msgspec.msgpack.encode(ITEM | {"Pages": "many"}),
    "cut off": WHOLE[: len(WHOLE) // 2],
    "empty": b"",
    "no item": msgspec.msgpack.encode([1, 2, 3]),
    "a number": msgspec.msgpack.encode(7),
    "no UTF-8": WHOLE.replace(b"BookId", b"Book\xff\xfe"),
    "noise": bytes(range(255, 200, -1)),
    "endless": b"\x91" * 5000,
    "text": "no bytes",
}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(EmbeddedEngine(tmp_path / "data.db", TABLES, durability="OFF"))
    yield store
    await store.close()


def book(number: int) -> Book:
    return Book(house_id="h", book_id=f"{number:02}", owner_id="o", rank=number)


def damage(path: Path, one: Book, blob: object) -> None:
    """Puts something else in the place of an item, as a flipped bit or another program could."""
    connection = apsw.Connection(str(path))
    partition, sort = one.ref.key
    connection.execute(
        "UPDATE World SET _item = ? WHERE PK = ? AND SK = ?", (blob, partition, sort)
    )
    assert connection.changes() == 1
    connection.close()


@pytest.fixture(params=DAMAGE)
async def damaged(request: pytest.FixtureRequest, store: Store, tmp_path: Path) -> Book:
    """One of fifty books, the third, which cannot be decoded."""
    for number in range(50):
        await store.write(put(book(number)))
    damage(tmp_path / "data.db", book(2), DAMAGE[request.param])
    return book(2)


OTHERS = [book(number) for number in range(50) if number != 2]


async def failures(store: Store, one: Book) -> list[DamagedItem]:
    """What every way to read it raises, with the tracebacks that keep their frames alive."""
    reads: list[Any] = [
        lambda: store.get(one.ref),
        lambda: store.batch_get([one.ref]),
        lambda: store.page(world.house_books(house_id="h"), limit=20),
        lambda: store.page(world.ranked(owner_id="o")),
        lambda: store.merged([world.ranked(owner_id="o")]),
    ]
    found = []
    for read in reads:
        with pytest.raises(DamagedItem) as raised:
            await read()
        found.append(raised.value)
    return found


class TestAFailedRead:
    async def test_keeps_nobody_at_an_old_moment(
        self, store: Store, damaged: Book, tmp_path: Path
    ) -> None:
        kept = await failures(store, damaged)

        await store.write(put(book(99)))
        other = apsw.Connection(str(tmp_path / "data.db"))
        busy, _, _ = next(other.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
        other.close()

        assert await store.get(book(99).ref) == book(99)
        assert busy == 0, "nobody reads, so the log can be emptied"
        assert kept

    async def test_says_which_item_it_was(self, store: Store, damaged: Book) -> None:
        for failure in await failures(store, damaged):
            assert (failure.table, failure.key) == ("World", damaged.ref.key)
            assert "commonroom check" in failure.detail


class TestADamagedItem:
    async def test_is_left_out_of_a_page_and_told_of(self, store: Store, damaged: Book) -> None:
        for pattern in (world.house_books(house_id="h"), world.ranked(owner_id="o")):
            with tolerating_damage() as left_out:
                page = await store.page(pattern, limit=50)

            assert page.items == OTHERS
            assert page.cursor is None
            assert [one.key for one in left_out] == [damaged.ref.key]

    async def test_ends_no_list(self, store: Store, damaged: Book) -> None:
        found = []
        cursor: str | None = None
        with tolerating_damage() as left_out:
            while True:
                page = await store.page(world.house_books(house_id="h"), limit=3, cursor=cursor)
                found += page.items
                cursor = page.cursor
                if cursor is None:
                    break
            everything = [one async for one in store.all(world.house_books(house_id="h"), limit=2)]

        assert found == everything == OTHERS
        assert len(left_out) == 2, "once for each time that it was passed"

    async def test_is_left_out_of_merged_pages(self, store: Store, damaged: Book) -> None:
        with tolerating_damage() as left_out:
            page = await store.merged([world.ranked(owner_id="o")], limit=50)

        assert page.items == OTHERS
        assert len(left_out) == 1

    async def test_is_left_out_of_a_batch(self, store: Store, damaged: Book) -> None:
        with tolerating_damage() as left_out:
            found = await store.batch_get([book(1).ref, damaged.ref, book(3).ref])

        assert found == [book(1), None, book(3)]
        assert len(left_out) == 1

    async def test_is_passed_by_first(self, store: Store, tmp_path: Path) -> None:
        await store.write(put(book(0)), put(book(1)))
        damage(tmp_path / "data.db", book(0), b"\xc1")

        with tolerating_damage() as left_out:
            assert await store.first(world.house_books(house_id="h")) == book(1)

        assert len(left_out) == 1

    async def test_alone_is_an_error_even_where_it_is_tolerated(
        self, store: Store, damaged: Book
    ) -> None:
        with tolerating_damage(), pytest.raises(DamagedItem):
            await store.get(damaged.ref)

    async def test_is_named_by_a_scan(self, store: Store, tmp_path: Path) -> None:
        await store.write(put(book(0)), put(book(1)))
        damage(tmp_path / "data.db", book(0), b"\xc1")

        rows = await store.engine.scan(world.world, limit=10)

        assert [one["SK"] for one in rows.items] == [book(1).ref.key[1]]
        assert [one.key for one in rows.damaged] == [book(0).ref.key]

    @pytest.mark.parametrize("blob", [b"\xc1", b"", "text"])
    async def test_can_be_replaced_and_deleted_but_not_changed(
        self, store: Store, tmp_path: Path, blob: object
    ) -> None:
        await store.write(put(book(0)), put(book(1)))
        damage(tmp_path / "data.db", book(0), blob)
        damage(tmp_path / "data.db", book(1), blob)

        for write in (update(book(0), pages=3), put(book(0), if_=stored)):
            with pytest.raises(DamagedItem):
                await store.write(write)
        await store.write(put(book(0)))
        await store.write(delete(book(1).ref))

        assert await store.get(book(0).ref) == book(0)
        assert await store.get(book(1).ref) is None
