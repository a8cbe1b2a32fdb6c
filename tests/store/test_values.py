import pytest
from hypothesis import given

from commonroom.store.values import same_value, type_code
from tests.support.conditions import values


class TestSameness:
    @given(values)
    def test_is_had_by_everything_with_itself(self, value: object) -> None:
        assert same_value(value, value)

    @given(values, values)
    def test_is_mutual(self, one: object, other: object) -> None:
        assert same_value(one, other) is same_value(other, one)

    @pytest.mark.parametrize(
        "one, other",
        [(1, 1.0), (0, -0.0), ([1, 2.0], [1.0, 2]), ({"a": 1, "b": 2}, {"b": 2.0, "a": 1})],
    )
    def test_is_of_numbers_by_their_value(self, one: object, other: object) -> None:
        assert same_value(one, other)

    @pytest.mark.parametrize(
        "one, other",
        [
            (1, True),
            (0, False),
            (None, False),
            ("1", 1),
            (b"a", "a"),
            ([True], [1]),
            ({"a": 0}, {"a": False}),
            ([], {}),
            ([1], [1, 1]),
            ({"a": 1}, {"b": 1}),
            ({"a": 1}, {"a": 1, "b": 1}),
        ],
    )
    def test_is_not_had_across_types(self, one: object, other: object) -> None:
        assert not same_value(one, other)


def test_every_type_that_can_be_stored_has_dynamodbs_name() -> None:
    stored: list[object] = [None, True, 1, 1.5, "s", b"b", [], {}]

    assert [type_code(value) for value in stored] == [
        "NULL",
        "BOOL",
        "N",
        "N",
        "S",
        "B",
        "L",
        "M",
    ]
