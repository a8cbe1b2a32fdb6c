"""The first write of a request takes its completion mark along, and no other does."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

import commonroom
from commonroom.errors import Conflict
from commonroom.store import (
    CompletionMark,
    ConditionFailed,
    Store,
    check,
    counting,
    create,
    delete,
    marking,
    new,
    put,
    stored,
    unmarked,
)
from commonroom.store.errors import TooManyOperations
from commonroom.store.limits import OPERATIONS, REQUEST_OPERATIONS
from tests.support.world import Book, House, fresh


class Request:
    """A request that makes books in a house, and what marks that it was done."""

    def __init__(self, store: Store) -> None:
        self.store, self.house_id = store, fresh()
        self.done = House(house_id=self.house_id, title="done")
        self.mark = CompletionMark(put(self.done, if_=new), lambda: Conflict("Done before."))

    def book(self, number: int = 0) -> Book:
        return Book(house_id=self.house_id, book_id=str(number))

    async def is_done(self) -> bool:
        return await self.store.get(self.done.ref) is not None


@pytest.fixture
def request_(store: Store) -> Request:
    """One that has written nothing yet."""
    return Request(store)


async def test_the_first_write_takes_it_and_the_next_does_not(request_: Request) -> None:
    with marking(request_.mark):
        await request_.store.write(create(request_.book(1)))
        assert await request_.is_done()
        await request_.store.write(delete(request_.done))
        await request_.store.write(create(request_.book(2)))
    assert not await request_.is_done()


async def test_a_write_that_fails_leaves_it_to_the_next(request_: Request) -> None:
    await request_.store.write(create(request_.book(1)))
    with marking(request_.mark):
        with pytest.raises(ConditionFailed) as failed:
            await request_.store.write(create(request_.book(2)), create(request_.book(1)))
        assert failed.value.entity == request_.book(1)
        assert not await request_.is_done()
        await request_.store.write(create(request_.book(2)))
    assert await request_.is_done()


async def test_where_it_was_done_before_nothing_is_written(request_: Request) -> None:
    await request_.store.write(put(request_.done))
    with marking(request_.mark), pytest.raises(Conflict):
        await request_.store.write(create(request_.book()))
    assert await request_.store.get(request_.book().ref) is None


async def test_the_largest_write_of_a_request_has_it_within(request_: Request) -> None:
    books = [request_.book(one) for one in range(REQUEST_OPERATIONS)]
    with marking(request_.mark), counting() as tally:
        await request_.store.write(*map(create, books))
    assert tally.writes == 1, "in one transaction"
    assert await request_.is_done()
    again = CompletionMark(put(request_.done, if_=new), lambda: Conflict("Done before."))
    with marking(again), pytest.raises(Conflict):
        await request_.store.write(*map(delete, books))
    assert await request_.store.get(books[0].ref) is not None


async def test_a_transaction_without_room_for_it_is_refused(request_: Request) -> None:
    books = [request_.book(one) for one in range(OPERATIONS)]
    with marking(request_.mark), pytest.raises(TooManyOperations):
        await request_.store.write(*map(create, books))
    assert not await request_.is_done()
    assert await request_.store.get(books[0].ref) is None
    await request_.store.write(*map(create, books))  # which is no request with a key


def test_no_room_takes_the_place_of_the_mark() -> None:
    source = Path(commonroom.__file__).parent
    rooms = (one for one in source.rglob("*.py") if "store" not in one.relative_to(source).parts)
    sizes = re.compile(r"store\.limits import .*\bOPERATIONS\b")
    assert [one.name for one in rooms if sizes.search(one.read_text())] == []


async def test_writes_at_once_take_it_once(request_: Request) -> None:
    with marking(request_.mark):
        await asyncio.gather(
            *(request_.store.write(create(request_.book(one))) for one in range(10))
        )
    assert await request_.is_done()
    books = [request_.book(one).ref for one in range(10)]
    assert None not in await request_.store.batch_get(books)


async def test_what_only_looks_or_comes_before_does_not_take_it(request_: Request) -> None:
    await request_.store.write(create(request_.book(1)))
    with marking(request_.mark):
        await request_.store.write(check(request_.book(1), if_=stored))
        with unmarked():
            await request_.store.write(create(request_.book(2)))
    assert not await request_.is_done()


async def test_a_task_that_outlives_its_request_does_not_take_it(request_: Request) -> None:
    over = asyncio.Event()

    async def later() -> None:
        await over.wait()
        await request_.store.write(create(request_.book()))

    with marking(request_.mark):
        task = asyncio.create_task(later())
    over.set()
    await task
    assert await request_.store.get(request_.book().ref) is not None
    assert not await request_.is_done()


async def test_others_do_not_take_it(request_: Request) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def other() -> None:
        await begun.wait()
        await request_.store.write(create(request_.book()))
        go_on.set()

    task = asyncio.create_task(other())
    with marking(request_.mark):
        begun.set()
        await go_on.wait()
    await task
    assert not await request_.is_done()
