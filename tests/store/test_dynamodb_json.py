from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.store.dynamodb_json import (
    from_attribute,
    from_attributes,
    to_attribute,
    to_attributes,
)
from commonroom.store.errors import WrongType
from commonroom.store.values import same_value

plain = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.binary()
)
names = st.text(max_size=5)
values = st.recursive(
    plain,
    lambda one: st.lists(one, max_size=3) | st.dictionaries(names, one, max_size=3),
    max_leaves=8,
)


@given(values)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    assert same_value(from_attribute(to_attribute(value)), value)


@given(st.dictionaries(names, values, max_size=5))
def test_an_item_comes_back_as_it_was(item: dict[str, Any]) -> None:
    assert same_value(from_attributes(to_attributes(item)), item)


@pytest.mark.parametrize(
    "value, typed",
    [
        ("text", {"S": "text"}),
        ("", {"S": ""}),
        (True, {"BOOL": True}),
        (1, {"N": "1"}),
        (1.5, {"N": "1.5"}),
        (b"\x00\xff", {"B": "AP8="}),
        (None, {"NULL": True}),
        ([1, "a"], {"L": [{"N": "1"}, {"S": "a"}]}),
        ({"a": {}}, {"M": {"a": {"M": {}}}}),
    ],
)
def test_each_type_has_dynamodbs_name(value: Any, typed: dict[str, Any]) -> None:
    assert to_attribute(value) == typed
    assert from_attribute(typed) == value


@pytest.mark.parametrize(
    "text, number",
    [("7", 7), ("-7", -7), ("7.0", 7.0), ("1E2", 100.0), ("1e-3", 0.001)],
)
def test_a_number_is_whole_only_where_it_is_written_so(text: str, number: float) -> None:
    found = from_attribute({"N": text})
    assert (type(found), found) == (type(number), number)


def test_a_whole_number_beyond_64_bits_was_a_float() -> None:
    assert from_attribute({"N": "1" + "0" * 23}) == 1e23


def test_sets_are_read_as_lists() -> None:
    item: dict[str, Any] = {
        "s": {"SS": ["a", "b"]},
        "n": {"NS": ["1", "2.5"]},
        "b": {"BS": ["AA==", b"\x01"]},
    }
    assert from_attributes(item) == {"s": ["a", "b"], "n": [1, 2.5], "b": [b"\x00", b"\x01"]}


def test_bytes_that_botocore_has_decoded_stay_as_they_are() -> None:
    assert from_attribute({"B": b"AP8="}) == b"AP8="


@pytest.mark.parametrize("value", [(1, 2), {1}, object(), [object()]])
def test_what_is_no_plain_value_is_refused(value: Any) -> None:
    with pytest.raises(WrongType, match="cannot be stored"):
        to_attribute(value)


@pytest.mark.parametrize(
    "typed", [{}, {"X": 1}, {"N": "one"}, {"N": 1}, {"B": "!"}, "S", None, {"S": "a", "N": "1"}]
)
def test_what_is_not_in_dynamodbs_form_is_refused(typed: Any) -> None:
    with pytest.raises(WrongType, match="DynamoDB's form"):
        from_attribute(typed)


def test_an_item_that_is_not_in_dynamodbs_form_is_refused() -> None:
    with pytest.raises(WrongType, match="DynamoDB's form"):
        from_attributes({"a": None})  # type: ignore[dict-item]
