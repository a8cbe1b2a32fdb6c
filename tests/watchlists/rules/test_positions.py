"""Positions with gaps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonroom.watchlists.rules.lists import (
    GAP,
    position_between,
    spread_behind,
    target_index,
)


def test_a_position_is_between_its_neighbours_or_beyond_the_one_there_is() -> None:
    assert position_between(None, None) == GAP
    assert position_between(None, 5) == 5 - GAP
    assert position_between(5, None) == 5 + GAP
    assert position_between(4, 8) == 6
    assert position_between(-1, 1) == 0
    assert position_between(4, 5) is None
    assert position_between(4, 4) is None


def test_twenty_fit_into_one_gap_before_room_must_be_made() -> None:
    after, fitted = 2 * GAP, 0
    while (position := position_between(GAP, after)) is not None:
        after, fitted = position, fitted + 1
    assert fitted == 20


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=40, unique=True), st.data())
def test_room_is_made_without_ever_changing_the_order(
    numbers: list[int], data: st.DataObject
) -> None:
    positions = sorted(numbers)
    first = data.draw(st.integers(0, len(positions) - 1))
    for one in spread_behind(len(positions), first, positions[-1]):
        positions[one.index] = one.position
        assert positions == sorted(positions), "also where this is interrupted"
        assert len(set(positions)) == len(positions)
    before = positions[first - 1] if first else None
    assert position_between(before, positions[first]) is not None


@given(st.integers(1, 8), st.data())
def test_an_item_comes_to_stand_where_it_is_wanted(count: int, data: st.DataObject) -> None:
    letters = list("abcdefgh"[:count])
    moving = data.draw(st.integers(0, count - 1))
    place = data.draw(st.integers(-3, count + 3))
    others = [*letters[:moving], *letters[moving + 1 :]]
    index = target_index(count, moving, place=place, before=None, after=None)
    moved = [*others[:index], letters[moving], *others[index:]]
    assert moved.index(letters[moving]) == max(0, min(place, count) - 1)
    for other in set(range(count)) - {moving}:
        index = target_index(count, moving, place=None, before=other, after=None)
        moved = [*others[:index], letters[moving], *others[index:]]
        assert moved.index(letters[moving]) + 1 == moved.index(letters[other])
        index = target_index(count, moving, place=None, before=None, after=other)
        moved = [*others[:index], letters[moving], *others[index:]]
        assert moved.index(letters[moving]) - 1 == moved.index(letters[other])
