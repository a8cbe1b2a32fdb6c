"""Packed lists: the same as lists, and less."""

from __future__ import annotations

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from commonroom.library.rules.packed import PackedLists, PackedTexts

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=8)
LISTS = st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=4), min_size=1, max_size=8)


class TestTexts:
    @given(TEXTS)
    def test_come_back_as_they_were(self, texts: list[str]) -> None:
        packed = PackedTexts(texts)

        assert [packed[number] for number in range(len(packed))] == texts

    @given(TEXTS)
    def test_have_the_same_order_and_their_length_as_bytes(self, texts: list[str]) -> None:
        packed = PackedTexts(texts)
        numbers = range(len(texts))

        in_order = [texts[number] for number in sorted(numbers, key=packed.raw)]
        assert in_order == sorted(texts)
        assert [packed.length(one) for one in numbers] == [len(one.encode()) for one in texts]


class TestLists:
    @given(LISTS, st.data())
    def test_are_joined_from_one_to_another(
        self, lists: list[list[int]], data: st.DataObject
    ) -> None:
        first = data.draw(st.integers(0, len(lists)))
        end = data.draw(st.integers(first, len(lists)))

        joined = PackedLists(lists).joined(first, end)

        assert list(joined) == list(chain.from_iterable(lists[first:end]))
