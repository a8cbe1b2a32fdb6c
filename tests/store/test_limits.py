"""Sizes as DynamoDB counts them; what is refused is tested on both engines in tests/contract."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.store.errors import ItemTooLarge, WrongType
from commonroom.store.limits import (
    ITEM_BYTES,
    check_item,
    check_names,
    check_value,
    item_size,
    number_size,
    value_size,
)
from tests.support.conditions import values
from tests.support.world import names


class TestSizes:
    @pytest.mark.parametrize(
        "value, size",
        [
            (None, 1),
            (True, 1),
            ("", 0),
            ("abc", 3),
            ("é", 2),
            (b"\x00\x00", 2),
            (0, 1),
            (7, 2),
            (-7, 3),
            (100, 2),
            (123, 3),
            (1.5, 3),
            (120, 3),
            (1200, 2),
            (0.012, 3),
            (12.34, 3),
            (-0.0, 1),
            ([], 3),
            (["a", "b"], 7),
            ({}, 3),
            ({"a": "b"}, 6),
            ([[]], 7),
        ],
    )
    def test_are_counted_value_by_value(self, value: object, size: int) -> None:
        assert value_size(value) == size

    def test_of_items_count_names_too(self) -> None:
        assert item_size({"Name": "n", "é": b"xy"}) == 4 + 1 + 2 + 2

    @given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**63), 2**63))
    def test_of_numbers_are_never_more_than_21_bytes(self, number: float) -> None:
        assert 1 <= number_size(number) <= 21

    @given(st.dictionaries(st.text(min_size=1, max_size=3), values, max_size=5))
    def test_are_at_most_four_times_what_is_packed(self, item: dict[str, Any]) -> None:
        """The shortcut in `check_size` rests on this."""
        assert item_size(item) <= 4 * len(msgspec.msgpack.encode(item))

    @pytest.mark.parametrize(
        "filler",
        ["x", "é", -1, 127, None, True, [], {}, {"a": 1}, 1.5, b"b", ["a"], -(2**40)],
        ids=repr,
    )
    def test_of_any_content_are_held_to_the_same_limit(self, filler: object) -> None:
        each = value_size(filler) + 1
        fitting = (ITEM_BYTES - len("Name") - 1 - len("Many") - 3) // each
        check_item(names, {"Name": "n", "Many": [filler] * fitting})

        with pytest.raises(ItemTooLarge):
            check_item(names, {"Name": "n", "Many": [filler] * (fitting + 1)})


class TestValues:
    @given(values)
    def test_that_can_be_stored_are_taken(self, value: object) -> None:
        check_value(value)

    def test_of_subclasses_are_refused(self) -> None:
        class Text(str):
            __slots__ = ()

        for odd in (Text("x"), (1,), {1}, bytearray(b"x"), 1j):
            with pytest.raises(WrongType):
                check_value([odd])

    def test_that_are_maps_have_names_that_are_text(self) -> None:
        check_names(["a", "b"])
        with pytest.raises(WrongType, match="not by a int"):
            check_names(["a", 1])
