from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from commonroom.store import ConditionFailed, Ref, Store, check, create, delete, stored
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import WriteOperation
from commonroom.store.errors import Unavailable
from commonroom.store.own_writes import SLOTS, OwnWrites
from tests.support.world import TABLES, Book, Name, fresh, house_books

A, B = Name.at(name="a"), Name.at(name="b")


def noted(*refs: Ref[Name]) -> OwnWrites:
    """The writes of a process that deleted these, one after the other."""
    writes = OwnWrites()
    for one in refs:
        writes.note([delete(one).operation])
    return writes


class TestAWrite:
    def test_is_after_every_number_before_it(self) -> None:
        writes = noted(A)
        assert writes.any_since(0, [A])
        assert not writes.any_since(writes.number, [A])

    def test_counts_for_its_own_item(self) -> None:
        writes = noted(A, B)
        assert not writes.any_since(1, [A])
        assert writes.any_since(1, [A, B])

    def test_that_only_checks_changes_nothing(self) -> None:
        writes = OwnWrites()
        writes.note([check(A, if_=stored).operation])
        assert not writes.any_since(0, [A])

    def test_counts_for_its_partition(self) -> None:
        writes, house = OwnWrites(), fresh()
        writes.note([delete(Book.at(house_id=house, book_id="b")).operation])
        assert writes.last_in(house_books(house_id=house)) == writes.number
        assert not writes.last_in(house_books(house_id=fresh()))

    def test_is_never_missed_however_many_share_its_slot(self) -> None:
        many = [Name.at(name=f"{number}") for number in range(2 * SLOTS)]
        writes = noted(*many)
        assert all(writes.any_since(0, [one]) for one in many)


class LosesAnswers(EmbeddedEngine):
    """An engine that writes and says that nobody knows."""

    async def write(self, operations: Sequence[WriteOperation]) -> None:
        """Writes, and loses the answer."""
        await super().write(operations)
        raise Unavailable("No answer in time.")


class TestAStore:
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        store = Store(EmbeddedEngine(tmp_path / "store.db", TABLES, durability="OFF"))
        yield store
        await store.close()

    async def test_notes_what_it_has_written(self, store: Store) -> None:
        thing = Name(name=fresh(), holder="Ada")
        await store.write(create(thing))
        assert store.own_writes.any_since(0, [thing.ref])

    async def test_notes_what_was_refused_too(self, store: Store) -> None:
        thing = Name(name=fresh(), holder="Ada")
        await store.write(create(thing))
        number = store.own_writes.number
        with pytest.raises(ConditionFailed):
            await store.write(create(thing))
        assert store.own_writes.any_since(number, [thing.ref])

    async def test_notes_a_write_whose_answer_was_lost(self, tmp_path: Path) -> None:
        store = Store(LosesAnswers(tmp_path / "store.db", TABLES, durability="OFF"))
        thing = Name(name=fresh(), holder="Ada")
        with pytest.raises(Unavailable):
            await store.write(create(thing))
        assert store.own_writes.any_since(0, [thing.ref])
        await store.close()
