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
from commonroom.store.dynamodb.conditions import IsMap, condition_expression
from commonroom.store.dynamodb.terms import Terms
from commonroom.store.errors import ConditionFailed
from commonroom.store.values import Item
from tests.store.dynamodb.samples import check, delete, put, shelf, timed

NOW = 1_900_000_000.0


def text(condition: Condition, table: Any = shelf) -> str:
    """The rendered condition with its placeholders filled in again."""
    terms = Terms()
    rendered = condition_expression(table, condition, terms, NOW)
    payload: dict[str, Any] = {}
    terms.fill(payload)
    names = payload.get("ExpressionAttributeNames", {})
    values = payload.get("ExpressionAttributeValues", {})
    for placeholder, name in names.items():
        rendered = rendered.replace(placeholder, name)
    for placeholder, value in values.items():
        rendered = rendered.replace(placeholder, str(*value.values()))
    return rendered


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
    terms = Terms()
    condition = Compare("A", ">", "1") & Compare("A", "<", "2")
    payload: dict[str, Any] = {"x": condition_expression(shelf, condition, terms, NOW)}
    terms.fill(payload)
    assert payload == {
        "x": "(#0 > :0 AND #0 < :1)",
        "ExpressionAttributeNames": {"#0": "A"},
        "ExpressionAttributeValues": {":0": {"S": "1"}, ":1": {"S": "2"}},
    }


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
