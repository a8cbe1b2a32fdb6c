"""What follows from a write: consumers declare what their code does, and all of it is printed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts import notifications as hangout_notifications
from commonroom.hangouts.consumers.announcements import TELL
from commonroom.house.consequences import all_consumers, read_consequences, timer_handlers
from commonroom.house.consumers import notification_kinds
from commonroom.house.search import searchables
from commonroom.model import MODEL
from commonroom.notifications import notifications
from commonroom.notifications.notifications import Kind, tell
from commonroom.store import Store, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import timer
from tests.support.reached_code import Reached, functions_in, reach

CONSUMERS = all_consumers()
HANDLERS = timer_handlers()
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
    found = read_consequences()
    said = [one.does for it in found.follows for one in it.consequences]
    said += [one.does for one in found.timers]
    assert all(one.endswith(".") for one in said), [one for one in said if not one.endswith(".")]


def test_every_consumer_and_document_is_there() -> None:
    follows = read_consequences().follows
    printed = {(one.by, it.entity) for it in follows for one in it.consequences}
    wanted = {(one.name, entity.__name__) for one in CONSUMERS for entity in one.wants}
    found = {("search", one.entity.__name__) for one in searchables()}
    copied = {("the same write", one.of.__name__) for one in MODEL.copies if one.known}
    assert printed == wanted | found | copied


def test_what_is_declared_exists() -> None:
    kinds = notification_kinds()
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
