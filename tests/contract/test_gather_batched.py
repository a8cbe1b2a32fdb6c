"""Reads that are gathered with what they read by key: the same answers in fewer requests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import pytest

from commonroom.store import Store, batched_reads, counting, put
from commonroom.store.errors import Refused
from tests.support.world import Book, fresh, house_books


class Broken(Exception):
    """What a read can meet."""


async def chain(store: Store, refs: Sequence[Book], *, queries: int = 0) -> list[Book | None]:
    """Reads some queries first, and then one book after the other."""
    for _ in range(queries):
        await store.page(house_books(house_id=refs[0].house_id))
    return [(await store.batch_get([one.ref]))[0] for one in refs]


@pytest.fixture
async def books(store: Store) -> list[Book]:
    """Some books, each in a house of its own."""
    made = [Book(house_id=fresh(), book_id=str(number)) for number in range(6)]
    await store.write(*map(put, made))
    return made


class TestReadsTogether:
    async def test_give_what_each_gives_in_the_order_asked(
        self, store: Store, books: list[Book]
    ) -> None:
        missing = Book(house_id=fresh(), book_id="missing")

        found = await store.gather_batched(
            [chain(store, [books[1], missing, books[0]], queries=2), chain(store, books), empty()]
        )

        assert found == [[books[1], None, books[0]], books, []]

    async def test_of_none_give_nothing(self, store: Store) -> None:
        assert await store.gather_batched([]) == []

    async def test_take_as_many_batches_as_the_longest_chain_of_them(
        self, store: Store, books: list[Book]
    ) -> None:
        chains = [
            chain(store, books[:1], queries=3),
            chain(store, books[:3]),
            chain(store, books[1:3], queries=1),
        ]

        with counting() as tally:
            await store.gather_batched(chains)

        # Four queries, and one book after the other at most three times.
        assert tally.requests == (4 + 3 if store.engine.name == "dynamodb" else 4 + 6)

    async def test_count_those_that_one_of_them_gathers(
        self, store: Store, books: list[Book]
    ) -> None:
        async def nested() -> tuple[list[Book | None], list[Book | None]]:
            found = await store.gather(chain(store, books[:1], queries=2), chain(store, books[1:2]))
            await chain(store, books[2:3])
            return found

        with counting() as tally:
            both, other = await store.gather_batched([nested(), chain(store, books[:2])])

        assert (both, other) == (([books[0]], [books[1]]), books[:2])
        assert tally.requests == (2 + 2 if store.engine.name == "dynamodb" else 2 + 5)

    async def test_read_what_two_of_them_want_once(self, store: Store, books: list[Book]) -> None:
        refs = [one.ref for one in books]

        with counting() as tally:
            found = await store.gather_batched([store.batch_get(refs * 9) for _ in range(9)])

        assert found == [books * 9] * 9
        assert tally.requests == (1 if store.engine.name == "dynamodb" else 9)

    async def test_are_as_before_once_they_are_done(self, store: Store, books: list[Book]) -> None:
        await store.gather_batched([chain(store, books)])

        with counting() as tally:
            await chain(store, books[:2])

        assert tally.requests == 2


class TestWhereOneFails:
    async def test_its_failure_is_that_of_all(self, store: Store, books: list[Book]) -> None:
        async def fails() -> list[Book | None]:
            await store.batch_get([books[0].ref])
            raise Broken

        with pytest.raises(Broken):
            await store.gather_batched([chain(store, books), fails(), chain(store, books)])

    async def test_before_it_reads_it_fails_alone(self, store: Store, books: list[Book]) -> None:
        async def refused() -> bool:
            with pytest.raises(Refused):
                await store.batch_get([Book.at(house_id="x" * 3000, book_id="1")])
            return True

        async def reads() -> bool:
            return await chain(store, books) == books

        assert await store.gather_batched([reads(), refused()]) == [True, True]

    async def test_and_is_cancelled_the_others_go_on(self, store: Store, books: list[Book]) -> None:
        async def gives_up() -> list[Book | None]:
            with suppress(TimeoutError):  # where an engine answers at once, there is none
                async with asyncio.timeout(0):
                    await chain(store, books)
            return await chain(store, books[:1])

        with counting() as tally:
            found = await store.gather_batched([gives_up(), chain(store, books[:2], queries=1)])

        assert found == [books[:1], books[:2]]
        # What was given up is not read.
        assert store.engine.name == "embedded" or tally.requests == 1 + 2


async def test_one_that_waits_for_another_by_other_means_gets_on(
    store: Store, books: list[Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched_reads, "MAX_WAIT_SECONDS", 0.01)
    lock = asyncio.Lock()

    async def reads_alone() -> list[Book | None]:
        async with lock:
            return await chain(store, books)

    assert await store.gather_batched([reads_alone(), reads_alone()]) == [books, books]


async def empty() -> list[Book | None]:
    """Reads nothing."""
    return []
