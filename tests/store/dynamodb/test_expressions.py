import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonroom.store.conditions import (
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Contains,
    Has,
    Not,
    Stored,
    absent,
    new,
    stored,
)
from commonroom.store.dynamodb import DynamoEngine, DynamoSettings, connect
from commonroom.store.dynamodb.expressions import (
    IsMap,
    Placeholders,
    condition_expression,
    update_expression,
)
from commonroom.store.engine import AttributeChange
from commonroom.store.errors import BadKey, ConditionFailed, ItemTooLarge, WrongType
from commonroom.store.values import Item
from tests.store.dynamodb.samples import PLAIN, book, check, delete, put, shelf, timed, update

NOW = 1_900_000_000.0


names = st.sampled_from(["A", "B", "size", "a.b", "Until"])

scalars = st.sampled_from([None, True, False, 0, 1, 1.5, -3, "", "a", "ab", "b", b"a", b"b"])

some = scalars | st.lists(scalars, max_size=3) | st.dictionaries(names, scalars, max_size=2)

atoms = (
    st.builds(Stored, st.booleans())
    | st.builds(Has, names, st.booleans())
    | st.builds(Compare, names, st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), some)
    | st.builds(Contains, names, some)
    | st.builds(IsMap, names)
)

conditions = st.recursive(
    atoms,
    lambda one: (
        st.builds(AllOf, st.lists(one, max_size=3).map(tuple))
        | st.builds(AnyOf, st.lists(one, max_size=3).map(tuple))
        | st.builds(Not, one)
    ),
    max_leaves=6,
)

times = st.sampled_from([NOW - 1, NOW, NOW + 1, NOW + 0.5])

untimed = st.dictionaries(names.filter(lambda name: name != "Until"), some, max_size=4)

timely = st.builds(lambda item, time: {**item, "Until": time}, untimed, times)

MERGED = {"a": 2, "b.": 4, "c": 3}


def text(condition: Condition, table: Any = shelf) -> str:
    """The rendered condition with its placeholders filled in again."""
    placeholders = Placeholders()
    render = condition_expression(table, condition, placeholders, NOW)
    payload: dict[str, Any] = {}
    placeholders.fill(payload)
    names = payload.get("ExpressionAttributeNames", {})
    values = payload.get("ExpressionAttributeValues", {})
    for placeholder, name in names.items():
        render = render.replace(placeholder, name)
    for placeholder, value in values.items():
        render = render.replace(placeholder, str(*value.values()))
    return render


@pytest.mark.parametrize(
    "condition, expression",
    [
        (stored, "attribute_exists(PK)"),
        (new, "attribute_not_exists(PK)"),
        (absent("A"), "attribute_not_exists(A)"),
        (Compare("A", "=", 1), "A = 1"),
        (Compare("A", "<>", 1), "NOT A = 1"),
        (Contains("A", "x"), "(attribute_type(A, L) AND contains(A, x))"),
        (IsMap("A"), "attribute_type(A, M)"),
        (stored & Compare("A", ">", 1), "(attribute_exists(PK) AND A > 1)"),
        (Has("A", wanted=True) | new, "(attribute_exists(A) OR attribute_not_exists(PK))"),
        (~(stored | new), "NOT (attribute_exists(PK) OR attribute_not_exists(PK))"),
        (AllOf((AllOf((stored,)),)), "attribute_exists(PK)"),
        (AllOf(()), "(attribute_exists(PK) OR attribute_not_exists(PK))"),
        (AnyOf(()), "(attribute_exists(PK) AND attribute_not_exists(PK))"),
        (Compare("A", "<", [1]), "(attribute_exists(PK) AND attribute_not_exists(PK))"),
    ],
)
def test_each_condition_has_its_expression(condition: Condition, expression: str) -> None:
    assert text(condition) == expression


def test_an_expired_item_counts_as_absent_where_absence_is_wanted() -> None:
    assert text(new, timed) == "(Until <= 1900000000.0 OR attribute_not_exists(Id))"


def test_an_expired_item_counts_as_absent_where_presence_is_wanted() -> None:
    assert text(stored, timed) == "(NOT Until <= 1900000000.0 AND attribute_exists(Id))"


def test_the_same_name_is_given_once_and_no_value_is_written_out() -> None:
    placeholders = Placeholders()
    condition = Compare("A", ">", "1") & Compare("A", "<", "2")
    payload: dict[str, Any] = {"x": condition_expression(shelf, condition, placeholders, NOW)}
    placeholders.fill(payload)
    assert payload == {
        "x": "(#0 > :0 AND #0 < :1)",
        "ExpressionAttributeNames": {"#0": "A"},
        "ExpressionAttributeValues": {":0": {"S": "1"}, ":1": {"S": "2"}},
    }


@given(st.lists(st.tuples(st.none() | untimed | timely, conditions), min_size=10, max_size=20))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_dynamodb_finds_what_holds_finds(
    dynamodb_local: str, cases: list[tuple[Item | None, Condition]]
) -> None:
    asyncio.run(_compare(dynamodb_local, cases))


async def _compare(endpoint: str, cases: list[tuple[Item | None, Condition]]) -> None:
    settings = DynamoSettings("eu-central-1", endpoint=endpoint)
    async with await connect(settings, clock=lambda: NOW) as engine:
        await engine.create_tables([timed])
        for item, condition in cases:
            visible = None if item is None or item.get("Until", NOW + 1) <= NOW else item
            wanted = condition.holds(visible)
            assert await _holds(engine, item, condition) is wanted, (item, condition)


async def _holds(engine: DynamoEngine, item: Item | None, condition: Condition) -> bool:
    await engine.write([delete(timed, ("x",)) if item is None else put(timed, {"Id": "x", **item})])
    try:
        await engine.write([check(timed, ("x",), condition)])
    except ConditionFailed:
        return False
    return True


def test_all_actions_make_one_expression() -> None:
    actions = [
        AttributeChange("add", "Count", 2),
        AttributeChange("set", "Title", "x"),
        AttributeChange("remove", "Lent"),
        AttributeChange("set_if_absent", "Since", 5),
        AttributeChange("append", "Tags", ["new"]),
        AttributeChange("merge", "Map", {"a": 1, "b": 2}),
        AttributeChange("discard", "Map", ["c"]),
    ]
    placeholders = Placeholders()
    payload: dict[str, Any] = {}
    expression = update_expression(actions, placeholders)
    placeholders.fill(payload)
    for placeholder, name in payload["ExpressionAttributeNames"].items():
        expression = expression.replace(placeholder, name)
    assert expression == (
        "SET Title = :1, Since = if_not_exists(Since, :2), "
        "Tags = list_append(if_not_exists(Tags, :3), :4), Map.a = :5, Map.b = :6 "
        "REMOVE Lent, Map.c ADD Count :0"
    )


def test_actions_that_change_nothing_make_no_expression() -> None:
    assert not update_expression(
        [AttributeChange("merge", "M", {}), AttributeChange("discard", "M", [])], Placeholders()
    )


async def changed(engine: DynamoEngine, before: Item, *actions: AttributeChange) -> Item:
    await engine.write([put(shelf, book("1", **before))])
    await engine.write([update(shelf, ("p", "1"), *actions)])
    after = await engine.get(shelf, ("p", "1"), PLAIN)
    assert after is not None
    return {name: value for name, value in after.items() if name not in ("PK", "SK", "Kind")}


@pytest.mark.parametrize(
    "before, action, after",
    [
        ({}, AttributeChange("set", "size", 1), {"size": 1}),
        ({"A": 1}, AttributeChange("set_if_absent", "A", 2), {"A": 1}),
        ({}, AttributeChange("set_if_absent", "A", 2), {"A": 2}),
        ({"A": 1, "B": 2}, AttributeChange("remove", "A"), {"B": 2}),
        ({}, AttributeChange("remove", "A"), {}),
        ({"A": 1}, AttributeChange("add", "A", -3), {"A": -2}),
        ({}, AttributeChange("add", "A", 1.5), {"A": 1.5}),
        ({"A": ["x"]}, AttributeChange("append", "A", ["y", 1]), {"A": ["x", "y", 1]}),
        ({}, AttributeChange("append", "A", ["y"]), {"A": ["y"]}),
        ({"A": {"a": 1, "c": 3}}, AttributeChange("merge", "A", {"a": 2, "b.": 4}), {"A": MERGED}),
        ({"A": {"a": 1}}, AttributeChange("merge", "A", {}), {"A": {"a": 1}}),
        ({"A": {"a": 1, "b": 2}}, AttributeChange("discard", "A", ["a", "z"]), {"A": {"b": 2}}),
        ({"A": {"a": 1}}, AttributeChange("discard", "A", []), {"A": {"a": 1}}),
        (
            {"A": {"a": 1}},
            AttributeChange("count", "A", {"a": -2, "b.": 3}),
            {"A": {"a": -1, "b.": 3}},
        ),
        ({"A": {}}, AttributeChange("count", "A", {}), {"A": {}}),
    ],
)
async def test_an_action_changes_what_is_stored(
    engine: DynamoEngine, before: Item, action: AttributeChange, after: Item
) -> None:
    assert await changed(engine, before, action) == after


async def test_several_actions_are_done_together(engine: DynamoEngine) -> None:
    actions = [
        AttributeChange("set", "A", "x"),
        AttributeChange("add", "Version", 1),
        AttributeChange("merge", "M", {"k": [1]}),
        AttributeChange("discard", "M", ["old"]),
        AttributeChange("remove", "Gone"),
    ]
    before = {"A": "w", "Version": 1, "M": {"old": 1}, "Gone": True}
    assert await changed(engine, before, *actions) == {"A": "x", "Version": 2, "M": {"k": [1]}}


@pytest.mark.parametrize(
    "before, action",
    [
        ({"A": "text"}, AttributeChange("add", "A", 1)),
        ({"A": "text"}, AttributeChange("append", "A", [1])),
        ({"A": "text"}, AttributeChange("merge", "A", {"a": 1})),
        ({"A": "text"}, AttributeChange("merge", "A", {})),
        ({}, AttributeChange("merge", "A", {"a": 1})),
        ({}, AttributeChange("discard", "A", ["a"])),
        ({"A": [1]}, AttributeChange("discard", "A", ["a"])),
        ({}, AttributeChange("count", "A", {"a": 1})),
        ({"A": {"a": "text"}}, AttributeChange("count", "A", {"a": 1})),
    ],
)
async def test_an_action_that_does_not_fit_what_is_stored_is_refused(
    engine: DynamoEngine, before: Item, action: AttributeChange
) -> None:
    with pytest.raises(WrongType):
        await changed(engine, before, action)


async def test_an_update_that_makes_an_item_too_large_is_refused(engine: DynamoEngine) -> None:
    with pytest.raises(ItemTooLarge):
        await changed(
            engine, {"A": ["x" * 300_000]}, AttributeChange("append", "A", ["y" * 200_000])
        )


@pytest.mark.parametrize(
    "action",
    [
        AttributeChange("set", "PK", "q"),
        AttributeChange("set", "G1", 1),
        AttributeChange("set", "G1", ""),
    ],
)
async def test_a_key_that_cannot_be_is_refused(
    engine: DynamoEngine, action: AttributeChange
) -> None:
    with pytest.raises(BadKey):
        await changed(engine, {}, action)
