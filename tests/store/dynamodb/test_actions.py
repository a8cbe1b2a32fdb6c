from typing import Any

import pytest

from commonroom.store.dynamodb import DynamoEngine
from commonroom.store.dynamodb.actions import update_expression
from commonroom.store.dynamodb.terms import Terms
from commonroom.store.engine import Action
from commonroom.store.errors import BadKey, ItemTooLarge, WrongType
from commonroom.store.values import Item
from tests.store.dynamodb.samples import PLAIN, book, put, shelf, update


def test_all_actions_make_one_expression() -> None:
    actions = [
        Action("add", "Count", 2),
        Action("set", "Title", "x"),
        Action("remove", "Lent"),
        Action("set_if_absent", "Since", 5),
        Action("append", "Tags", ["new"]),
        Action("merge", "Map", {"a": 1, "b": 2}),
        Action("discard", "Map", ["c"]),
    ]
    terms = Terms()
    payload: dict[str, Any] = {}
    expression = update_expression(actions, terms)
    terms.fill(payload)
    for placeholder, name in payload["ExpressionAttributeNames"].items():
        expression = expression.replace(placeholder, name)
    assert expression == (
        "SET Title = :1, Since = if_not_exists(Since, :2), "
        "Tags = list_append(if_not_exists(Tags, :3), :4), Map.a = :5, Map.b = :6 "
        "REMOVE Lent, Map.c ADD Count :0"
    )


def test_actions_that_change_nothing_make_no_expression() -> None:
    assert not update_expression([Action("merge", "M", {}), Action("discard", "M", [])], Terms())


MERGED = {"a": 2, "b.": 4, "c": 3}


async def changed(engine: DynamoEngine, before: Item, *actions: Action) -> Item:
    await engine.write([put(shelf, book("1", **before))])
    await engine.write([update(shelf, ("p", "1"), *actions)])
    after = await engine.get(shelf, ("p", "1"), PLAIN)
    assert after is not None
    return {name: value for name, value in after.items() if name not in ("PK", "SK", "Kind")}


@pytest.mark.parametrize(
    "before, action, after",
    [
        ({}, Action("set", "size", 1), {"size": 1}),
        ({"A": 1}, Action("set_if_absent", "A", 2), {"A": 1}),
        ({}, Action("set_if_absent", "A", 2), {"A": 2}),
        ({"A": 1, "B": 2}, Action("remove", "A"), {"B": 2}),
        ({}, Action("remove", "A"), {}),
        ({"A": 1}, Action("add", "A", -3), {"A": -2}),
        ({}, Action("add", "A", 1.5), {"A": 1.5}),
        ({"A": ["x"]}, Action("append", "A", ["y", 1]), {"A": ["x", "y", 1]}),
        ({}, Action("append", "A", ["y"]), {"A": ["y"]}),
        ({"A": {"a": 1, "c": 3}}, Action("merge", "A", {"a": 2, "b.": 4}), {"A": MERGED}),
        ({"A": {"a": 1}}, Action("merge", "A", {}), {"A": {"a": 1}}),
        ({"A": {"a": 1, "b": 2}}, Action("discard", "A", ["a", "z"]), {"A": {"b": 2}}),
        ({"A": {"a": 1}}, Action("discard", "A", []), {"A": {"a": 1}}),
        ({"A": {"a": 1}}, Action("count", "A", {"a": -2, "b.": 3}), {"A": {"a": -1, "b.": 3}}),
        ({"A": {}}, Action("count", "A", {}), {"A": {}}),
    ],
)
async def test_an_action_changes_what_is_stored(
    engine: DynamoEngine, before: Item, action: Action, after: Item
) -> None:
    assert await changed(engine, before, action) == after


async def test_several_actions_are_done_together(engine: DynamoEngine) -> None:
    actions = [
        Action("set", "A", "x"),
        Action("add", "Version", 1),
        Action("merge", "M", {"k": [1]}),
        Action("discard", "M", ["old"]),
        Action("remove", "Gone"),
    ]
    before = {"A": "w", "Version": 1, "M": {"old": 1}, "Gone": True}
    assert await changed(engine, before, *actions) == {"A": "x", "Version": 2, "M": {"k": [1]}}


@pytest.mark.parametrize(
    "before, action",
    [
        ({"A": "text"}, Action("add", "A", 1)),
        ({"A": "text"}, Action("append", "A", [1])),
        ({"A": "text"}, Action("merge", "A", {"a": 1})),
        ({"A": "text"}, Action("merge", "A", {})),
        ({}, Action("merge", "A", {"a": 1})),
        ({}, Action("discard", "A", ["a"])),
        ({"A": [1]}, Action("discard", "A", ["a"])),
        ({}, Action("count", "A", {"a": 1})),
        ({"A": {"a": "text"}}, Action("count", "A", {"a": 1})),
    ],
)
async def test_an_action_that_does_not_fit_what_is_stored_is_refused(
    engine: DynamoEngine, before: Item, action: Action
) -> None:
    with pytest.raises(WrongType):
        await changed(engine, before, action)


async def test_an_update_that_makes_an_item_too_large_is_refused(engine: DynamoEngine) -> None:
    with pytest.raises(ItemTooLarge):
        await changed(engine, {"A": ["x" * 300_000]}, Action("append", "A", ["y" * 200_000]))


@pytest.mark.parametrize(
    "action", [Action("set", "PK", "q"), Action("set", "G1", 1), Action("set", "G1", "")]
)
async def test_a_key_that_cannot_be_is_refused(engine: DynamoEngine, action: Action) -> None:
    with pytest.raises(BadKey):
        await changed(engine, {}, action)
