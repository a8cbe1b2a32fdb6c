"""Repairs are made many at a time, and each holds what it was worked out from."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.store import Ref, Store, Write, as_read, check, create, delete, new, update
from commonroom.store.checking import Problem
from commonroom.store.checking.repairing import Attempt, make_repairs
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.store import counting
from tests.support.checking import keep
from tests.support.copies_model import Card, Shelf

SHELF = Shelf(shelf_id="s", name="Top")


def card(card_id: str) -> Card:
    return Card(card_id=card_id, shelf_id="s", holder="Top")


def place(card_id: str) -> Ref[Card]:
    return Card.at(card_id=card_id)


def problem(name: str, *repair: Write) -> Problem:
    return Problem(name, "Cards", (name,), "It is wrong.", repair)


def on_shelf(card_id: str, name: str = "Top") -> Problem:
    """A card is missing, as long as the shelf is called so."""
    held = check(
        Shelf(shelf_id="s", name=name), if_=as_read(Shelf(shelf_id="s", name=name), "name")
    )
    return problem(card_id, held, create(card(card_id)))


def mended(attempts: Sequence[Attempt]) -> dict[str, bool]:
    return {one.problem.check: one.is_repaired for one in attempts}


async def test_many_that_hold_the_same_thing_are_one_write(store: Store) -> None:
    await keep(store, SHELF)
    names = [f"c{number}" for number in range(REQUEST_OPERATIONS - 1)]
    with counting() as count:
        attempts = await make_repairs(store, [on_shelf(one) for one in names])
    assert mended(attempts) == dict.fromkeys(names, True)
    assert count.writes == 1
    assert None not in await store.batch_get([place(one) for one in names])


async def test_more_than_a_write_holds_are_several(store: Store) -> None:
    await keep(store, SHELF)
    names = [f"c{number}" for number in range(REQUEST_OPERATIONS)]
    with counting() as count:
        attempts = await make_repairs(store, [on_shelf(one) for one in names])
    assert mended(attempts) == dict.fromkeys(names, True)
    assert count.writes == 2


async def test_one_that_comes_too_late_keeps_no_other_from_it(store: Store) -> None:
    await keep(store, SHELF, card("there"))
    attempts = await make_repairs(store, [on_shelf(one) for one in ("a", "there", "b", "c")])
    assert mended(attempts) == {"a": True, "there": False, "b": True, "c": True}
    assert [one.problem.check for one in attempts if one.is_outdated] == ["there"]


async def test_those_of_one_thing_are_made_in_their_order(store: Store) -> None:
    await keep(store, SHELF)
    attempts = await make_repairs(
        store,
        [
            problem("made", create(card("c"))),
            problem("changed", update(card("c"), holder="Bottom")),
            problem("gone", delete(card("c"), if_=as_read(card("c"), "shelf_id"))),
            problem("gone for good", check(place("c"), if_=new)),
        ],
    )
    names = ["made", "changed", "gone", "gone for good"]
    assert mended(attempts) == dict.fromkeys(names, True)
    assert await store.get(place("c")) is None


async def test_one_that_the_store_refuses_says_why(store: Store) -> None:
    await keep(store, SHELF)
    twice = problem("twice", create(card("d")), delete(card("d")))
    attempts = await make_repairs(store, [on_shelf("a"), twice, problem("by hand")])
    assert mended(attempts) == {"a": True, "twice": False, "by hand": False}
    why = {one.problem.check: one.why for one in attempts}
    assert why["twice"].startswith("It could not be repaired: ")
    assert why["by hand"] == "Only a person can repair this."
