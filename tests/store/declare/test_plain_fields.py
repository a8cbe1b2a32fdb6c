"""Which declarations rule out what no engine can keep, and what is then refused all the same."""

from __future__ import annotations

import math
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, defstruct, field

from commonroom.store import Entity, put
from commonroom.store.declare.plain_fields import has_plain_fields
from commonroom.store.declare.table import Table
from commonroom.store.errors import StoreError
from commonroom.store.limits import check_item

things = Table("Things", room="test", partition="PK")


class Part(Struct):
    """Something inside of a thing."""

    name: str
    size: float | None = None


class Plain(Entity, table=things):
    """A thing whose fields are all plain."""

    PK: str
    kind: Literal["a", "b"] = "a"
    number: int = 0
    note: str | None = None
    picture: bytes | None = None
    parts: list[Part] = field(default_factory=list)
    lists: list[list[str]] = field(default_factory=list)


class Tree(Struct):
    """Something that may be nested as deep as it likes."""

    below: list[Tree] = []


class TestFields:
    def test_of_texts_numbers_lists_and_structs_are_plain(self) -> None:
        assert has_plain_fields(Plain)

    @pytest.mark.parametrize(
        "kind", [Any, dict[str, str], list[dict[str, int]], tuple[str, ...], Tree], ids=str
    )
    def test_that_may_hold_anything_else_are_not(self, kind: Any) -> None:
        assert not has_plain_fields(defstruct("Thing", [("field", kind)]))


texts = st.text(alphabet=st.characters(exclude_categories=()), max_size=5)
numbers = st.integers(-(2**65), 2**65) | st.sampled_from([2**32, 2**63 - 1, 2**63, -(2**63)])
fractions = st.floats() | st.sampled_from([math.nan, math.inf, 1e-200, 1e130])


plain_things = st.builds(
    Plain,
    PK=texts,
    number=numbers,
    note=st.none() | texts,
    picture=st.none() | st.binary(max_size=4),
    parts=st.lists(st.builds(Part, texts, st.none() | fractions), max_size=3),
    lists=st.lists(st.lists(texts, max_size=2), max_size=2),
)


class TestAThingWithPlainFields:
    @given(plain_things)
    def test_is_refused_exactly_where_a_whole_look_at_it_would(self, thing: Plain) -> None:
        operation = put(thing).operation

        assert operation.plain
        assert outcome(lambda: check_item(things, operation.item, plain=True)) == outcome(
            lambda: check_item(things, operation.item)
        )


def outcome(check: Any) -> type[StoreError] | None:
    try:
        check()
    except StoreError as error:
        return type(error)
    return None
