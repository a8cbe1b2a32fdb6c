"""A shard is worked at by one worker at a time, and no two clocks have to agree on it."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.store import Store, create, put
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Worker
from commonroom.store.streams.lease import Holder, Lease, LeaseLost
from commonroom.store.streams.tables import ShardState, shard_states
from tests.store.streams.shelves import Seen, Time, consumer, thing

LEASE_SECONDS = 30.0
STATE = ShardState(consumer="test", stream="Shelves", shard="0")


class Machine:
    """A machine with a wall clock that may jump and a monotonic one that does not."""

    def __init__(self, store: Store, name: str) -> None:
        self.wall = Time()
        self.monotonic = Time()
        holder = Holder(name, LEASE_SECONDS, self.wall, self.monotonic)
        self.lease = Lease(store, STATE, holder, is_stored=False)

    async def takes(self) -> bool:
        """Whether it gets the shard, now that it has seen how it is stored."""
        return await self.lease.take() or await self.lease.take()

    async def renew(self) -> None:
        """What a worker does three times while a lease lasts."""
        await self.lease.checkpoint(self.lease.state.position, release=False)


@pytest.fixture
def one(store: Store) -> Machine:
    return Machine(store, "one")


@pytest.fixture
def other(store: Store) -> Machine:
    return Machine(store, "other")


class TestALease:
    async def test_is_had_by_one_until_it_gives_it_back(self, one: Machine, other: Machine) -> None:
        assert await one.takes()
        assert not await other.takes()
        await one.lease.checkpoint("7")
        assert await other.takes()
        assert other.lease.state.position == "7"

    @pytest.mark.parametrize("jump", [-1e9, -3600.0, 3600.0, 1e9])
    async def test_is_kept_while_it_is_renewed_whatever_the_clocks_say(
        self, one: Machine, other: Machine, jump: float
    ) -> None:
        assert await one.takes()
        other.wall.now += jump
        for _ in range(10):
            one.monotonic.now += LEASE_SECONDS / 3
            other.monotonic.now += LEASE_SECONDS / 3
            await one.renew()
            assert not await other.takes()

    @pytest.mark.parametrize("jump", [-1e9, -3600.0, 0.0, 3600.0])
    async def test_of_one_that_died_is_taken_over_once_it_was_watched_for_so_long(
        self, one: Machine, other: Machine, jump: float
    ) -> None:
        one.wall.now += 1e6  # its clock was ahead
        assert await one.takes()
        other.wall.now += jump
        assert not await other.takes()
        other.monotonic.now += LEASE_SECONDS - 1
        assert not await other.takes()
        other.monotonic.now += 1
        assert await other.takes()

    async def test_is_renewed_also_when_the_clock_is_put_back(
        self, one: Machine, other: Machine
    ) -> None:
        assert await one.takes()
        assert not await other.takes()
        one.wall.now -= 1e6
        other.monotonic.now += LEASE_SECONDS
        await one.renew()
        assert not await other.takes()

    async def test_that_was_taken_over_cannot_move_the_checkpoint(
        self, one: Machine, other: Machine
    ) -> None:
        assert await one.takes()
        assert not await other.takes()
        other.monotonic.now += LEASE_SECONDS
        assert await other.takes()
        with pytest.raises(LeaseLost):
            await one.lease.checkpoint("9")
        await other.lease.checkpoint("8")

    async def test_whose_answer_was_lost_is_looked_at_and_had(
        self, store: Store, one: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write = store.engine.write

        async def unanswered(operations: object) -> None:
            await write(operations)  # type: ignore[arg-type] # whatever they are
            raise Unavailable("No answer in time.")

        with monkeypatch.context() as patch:
            patch.setattr(store.engine, "write", unanswered)
            with pytest.raises(Unavailable):
                await one.lease.take()
        assert await one.takes()

    async def test_of_a_file_of_before_has_no_turns_and_is_taken(
        self, store: Store, one: Machine
    ) -> None:
        await store.write(put(STATE))
        item = STATE.to_item()
        item.pop("turns", None)
        await store.engine.load(ShardState.schema.table, [item | {"position": "3"}])
        assert await one.takes()
        assert one.lease.state.position == "3"


async def test_a_worker_that_is_told_to_stop_gives_its_leases_back(
    store: Store, clock: Time
) -> None:
    begun = asyncio.Event()

    class Hanging(Seen):
        async def __call__(self, *_: object) -> None:
            begun.set()
            await asyncio.Event().wait()

    await store.write(create(thing(1)))
    running = asyncio.create_task(Worker(store, [consumer(Hanging())]).run())
    await begun.wait()
    running.cancel()
    await asyncio.wait([running])

    states = [one async for one in store.all(shard_states(consumer="test"))]
    assert [(one.owner, one.position) for one in states] == [(None, None)]
    seen = Seen()
    assert await Worker(store, [consumer(seen)], clock=clock).drain() == 1
