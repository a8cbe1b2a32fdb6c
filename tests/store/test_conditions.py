from typing import Any

import pytest
from hypothesis import given

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
    all_of,
    equal,
    new,
    one_of,
    present,
    stored,
    unequal,
)
from tests.support.conditions import conditions, items


class TestHolding:
    @given(conditions, items)
    def test_is_turned_round_by_not(
        self, condition: Condition, item: dict[str, Any] | None
    ) -> None:
        assert (~condition).holds(item) is not condition.holds(item)

    @given(conditions, conditions, items)
    def test_is_joined_by_and_and_or(
        self, one: Condition, other: Condition, item: dict[str, Any] | None
    ) -> None:
        assert (one & other).holds(item) is (one.holds(item) and other.holds(item))
        assert (one | other).holds(item) is (one.holds(item) or other.holds(item))

    @pytest.mark.parametrize(
        "condition",
        [Compare("A", sign, 1) for sign in ("=", "<", "<=", ">", ">=")] + [Contains("A", 1)],
    )
    def test_needs_the_attribute(self, condition: Condition) -> None:
        assert not condition.holds({})
        assert not condition.holds(None)

    def test_of_unequal_does_not_need_the_attribute(self) -> None:
        assert Compare("A", "<>", 1).holds({})
        assert Compare("A", "<>", 1).holds(None)

    @pytest.mark.parametrize("value", [None, True, [1], {"a": 1}, "text"])
    def test_of_an_order_needs_two_of_one_ordered_type(self, value: object) -> None:
        for sign in ("<", "<=", ">", ">="):
            assert not Compare("A", sign, 1).holds({"A": value})
            assert not Compare("A", sign, value).holds({"A": 1})
        assert Compare("A", "<=", "text").holds({"A": "text"})
        assert not Compare("A", "<=", [1]).holds({"A": [1]})

    def test_of_text_goes_by_its_bytes(self) -> None:
        assert Compare("A", "<", "\U00010000").holds({"A": "\uffff"})

    def test_of_contains_is_about_lists_only(self) -> None:
        assert Contains("A", {"a": 1}).holds({"A": [0, {"a": 1.0}]})
        assert not Contains("A", True).holds({"A": [1]})
        assert not Contains("A", "a").holds({"A": "abc"})
        assert not Contains("A", "a").holds({"A": {"a": 1}})

    def test_of_nothing_to_meet_is_met_and_of_no_alternative_is_not(self) -> None:
        assert AllOf(()).holds({})
        assert not AnyOf(()).holds({})
        assert not one_of("A").holds({"A": 1})


class TestBuilding:
    def test_takes_none_for_absence(self) -> None:
        assert equal(a=None) == Has("a", wanted=False)
        assert unequal(a=None) == Not(Has("a", wanted=False))
        assert equal(a=1) == Compare("a", "=", 1)

    def test_joins_several_fields(self) -> None:
        assert present("a", "b") == AllOf((Has("a", wanted=True), Has("b", wanted=True)))
        assert absent("a") == Has("a", wanted=False)

    def test_leaves_out_what_is_not_given(self) -> None:
        assert all_of(None, None) is None
        assert all_of(None, stored) == Stored(wanted=True)
        assert all_of(stored, None, new) == AllOf((stored, new))


class TestBinding:
    @given(conditions, items)
    def test_to_attributes_changes_names_and_nothing_else(
        self, condition: Condition, item: dict[str, Any] | None
    ) -> None:
        bound = condition.bind(lambda name, value: (f"attribute {name}", value))
        renamed = item and {f"attribute {name}": value for name, value in item.items()}

        assert bound.holds(renamed if item is not None else None) is condition.holds(item)

    def test_passes_every_value_through(self) -> None:
        condition = (equal(a=1) & ~unequal(b=2)) | one_of("c", 3, 4) | Contains("d", 5) | stored
        bound = condition.bind(lambda name, value: (name, value and value * 10))

        assert list(condition.values()) == [1, 2, 3, 4, 5]
        assert list(bound.values()) == [10, 20, 30, 40, 50]
