"""What follows from a write: consumers declare what their code does, and all of it is printed."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.hangouts import notifications as hangout_notifications
from commonroom.hangouts.consumers.announcements import TELL
from commonroom.house.consequences import consequences_of, read_declarations
from commonroom.house.consumers import data_consumers
from commonroom.house.demo import seed_demo
from commonroom.notifications import notifications
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import tell
from commonroom.notifications.tables import Notification
from commonroom.settings import Settings
from commonroom.store import Entity, Relation, Store, Write, put
from commonroom.store.declare.relations import Children
from commonroom.store.embedded.engine import EmbeddedEngine
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.timers import ActTimer, Timer, timer
from tests.support.reached_code import Reached, functions_in, reach

HOUSE = read_declarations()
CONSUMERS, HANDLERS = HOUSE.consumers, HOUSE.timer_handlers
ACT_TIMERS = {name: one for name, one in HANDLERS.items() if isinstance(one, ActTimer)}
QUIET = {
    notifications.channels_for,
    notifications.refresh_page,
    notifications.resolve,
    notifications.resolve_page,
    notifications.revise_page,
    notifications.withdraw,
    notifications.withdraw_page,
}
"""Functions that are given a kind and send nothing."""
KNOWN: dict[Any, Reached] = {}


class Effects(Struct, frozen=True):
    """The timers that are set and the notifications that are sent, also by these timers."""

    sets: frozenset[str]
    tells: frozenset[str]


@pytest.mark.parametrize("consumer", CONSUMERS, ids=lambda one: one.name)
def test_a_consumer_declares_what_its_code_does(consumer: Consumer) -> None:
    assert effects_of(consumer) == declared_effects(consumer)


@pytest.mark.parametrize("name", ACT_TIMERS)
def test_a_timer_of_an_act_declares_what_its_code_tells(name: str) -> None:
    handler = ACT_TIMERS[name]
    told = {kind.name for kind in handler.tells}
    assert kinds_told(reach(functions_in(handler.handle), KNOWN)) == told


def test_every_other_timer_is_set_by_a_consumer() -> None:
    set_by_consumers = {name for one in CONSUMERS for name in one.sets}
    assert HANDLERS.keys() == ACT_TIMERS.keys() | set_by_consumers


async def test_the_demonstration_causes_what_is_declared(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path / "house.db", HOUSE.model.tables, durability="OFF")
    store = RecordingStore(engine)
    running = data_consumers(Settings())
    try:
        await seed_demo(store, time.time())
        assert set_by_acts(store.written[""]) >= {"library.overdue"}
        await Worker(store, [named(one) for one in running]).drain()
    finally:
        await store.close()
    seen = {one.name: effects_in(store.written[one.name]) for one in running}
    for consumer in running:
        declared, caused = declared_effects(consumer), seen[consumer.name]
        assert caused.sets <= declared.sets, consumer.name
        assert caused.tells <= declared.tells, consumer.name
    assert seen["movienight-rounds"].tells >= {"new_round"}
    assert seen["hangouts-agenda"].sets >= {"hangouts.agenda"}


CURRENT = ContextVar("CURRENT", default="")
"""The name of the consumer that is at work; empty for acts."""


class RecordingStore(Store):
    """A store that remembers its transactions, by the consumer whose they are."""

    def __init__(self, engine: EmbeddedEngine) -> None:
        super().__init__(engine)
        self.written = defaultdict[str, list[Sequence[Write]]](list)

    async def write(self, *writes: Write) -> None:
        """Writes, and remembers what."""
        await super().write(*writes)
        self.written[CURRENT.get()].append(writes)


def named(consumer: Consumer) -> Consumer:
    """Returns a consumer that says when it is at work."""

    async def handle(store: Store, change: Change) -> None:
        token = CURRENT.set(consumer.name)
        try:
            await consumer.handle(store, change)
        finally:
            CURRENT.reset(token)

    return replace(consumer, handle=handle)


def set_by_acts(written: Sequence[Sequence[Write]]) -> set[str]:
    """Returns the timers that acts set; each with a write that it says it is set with."""
    found = set[str]()
    for writes in written:
        for name in effects_in([writes]).sets:
            set_with = ACT_TIMERS[name].set_with
            assert not set_with or {one.entity_type for one in writes} & {*set_with}, name
            found.add(name)
    return found


def effects_in(written: Sequence[Sequence[Write]]) -> Effects:
    """Returns the timers and notifications that were written."""
    puts = [one for writes in written for one in writes if one.operation.kind == "put"]
    timers = {one.operation.item["kind"] for one in puts if one.entity_type is Timer}
    told = {one.operation.item["kind"] for one in puts if one.entity_type is Notification}
    return Effects(frozenset(timers), frozenset(told))


async def tell_secretly(store: Store, change: Change) -> None:
    """Sets a timer whose handler tells people."""
    await store.write(put(timer(TELL, change.at, {})))


def test_what_is_not_declared_is_found() -> None:
    silent = Consumer("silent", (User,), tell_secretly)
    announced = {
        hangout_notifications.NEW,
        hangout_notifications.CHANGED,
        hangout_notifications.CANCELLED,
        hangout_notifications.BACK,
        hangout_notifications.ON,
    }
    told = frozenset(one.name for one in announced)
    assert effects_of(silent) == Effects(frozenset([TELL]), told)
    assert declared_effects(silent) == Effects(frozenset(), frozenset())


def test_everything_says_what_it_does() -> None:
    found = consequences_of(HOUSE)
    said = [one.does for it in found.follows for one in it.consequences]
    said += [one.does for one in found.timers]
    assert all(one.endswith(".") for one in said), [one for one in said if not one.endswith(".")]


def test_every_consumer_and_document_is_there() -> None:
    follows = consequences_of(HOUSE).follows
    printed = {(one.by, it.entity) for it in follows for one in it.consequences}
    wanted = {(one.name, entity.__name__) for one in CONSUMERS for entity in one.wants}
    found = {("search", one.entity.__name__) for one in HOUSE.searchables}
    written = {one.of for one in HOUSE.model.copies if one.known}
    written |= {entity for one in HOUSE.model.relations for entity in written_with(one)}
    written |= {entity for one in ACT_TIMERS.values() for entity in one.set_with}
    together = {("the same write", one.__name__) for one in written}
    assert printed == wanted | found | together


def written_with(relation: Relation) -> Sequence[type[Entity]]:
    """Returns the kinds of things in whose transaction a relation writes something."""
    return () if isinstance(relation, Children) else relation.of


def test_what_is_declared_exists() -> None:
    kinds = HOUSE.kinds
    for consumer in CONSUMERS:
        assert HANDLERS.keys() >= set(consumer.sets)
        assert all(kinds[kind.name] is kind for kind in consumer.tells)


def declared_effects(consumer: Consumer) -> Effects:
    """Returns what a consumer says that it does."""
    return Effects(frozenset(consumer.sets), frozenset(one.name for one in consumer.tells))


def effects_of(consumer: Consumer) -> Effects:
    """Returns what a consumer's code does, with that of the timers that it sets."""
    sets: set[str] = set()
    tells: set[str] = set()
    waiting: list[Any] = [consumer.handle]
    while waiting:
        reached = reach(functions_in(waiting.pop()), KNOWN)
        new = timers_set(reached) - sets
        sets |= new
        tells |= kinds_told(reached)
        waiting += [HANDLERS[one] for one in new]
    return Effects(frozenset(sets), frozenset(tells))


def timers_set(reached: list[Reached]) -> set[str]:
    """Returns the timers that functions name which put something, or are called by one that does.

    Whoever only deletes a timer calls the function that makes it, too.
    """
    putting = [one for one in reached if put in one.names]
    counted = {one.function for one in putting}
    counted |= {function for one in putting for function, _ in one.calls}
    names = [name for one in reached if one.function in counted for name in one.names]
    return {name for name in names if isinstance(name, str) and name in HANDLERS}


def kinds_told(reached: list[Reached]) -> set[str]:
    """Returns the kinds that functions name, where any of them tells people something."""
    functions = {one.function for one in reached}
    if tell not in functions:
        return set()
    sending = [one for one in reached if not is_quiet(one)]
    return {name.name for one in sending for name in one.names if isinstance(name, Kind)}


def is_quiet(one: Reached) -> bool:
    """Whether a function resolves notifications, or asks who wants them, and sends none."""
    below = {it.function for it in reach(one.calls, KNOWN)}
    return tell not in below and not QUIET.isdisjoint(below)
