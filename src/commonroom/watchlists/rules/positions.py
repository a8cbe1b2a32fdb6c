"""Positions with gaps: an item that moves takes a number between its new neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

GAP = 1 << 20
"""Between two items when they are added: twenty can be put into the same place one by one."""


def position_between(before: int | None, after: int | None) -> int | None:
    """A position between two neighbours, or beyond the one there is; None where there is none."""
    if before is None:
        return GAP if after is None else after - GAP
    if after is None:
        return before + GAP
    middle = (before + after) // 2
    return middle if before < middle < after else None


class Spread(Struct, frozen=True):
    """An item that gets another position, so that there is room again."""

    index: int
    position: int


def spread_behind(count: int, first: int, last: int) -> list[Spread]:
    """New positions for all items from an index on, behind the `last` that there is.

    They are given in the order in which they are to be written: the last item comes first. So
    an interruption leaves the order as it was: what has moved is behind all that has not.
    """
    behind = range(first, count)
    return [Spread(index, last + GAP * (index - first + 2)) for index in reversed(behind)]


def first_double(positions: Sequence[int]) -> int | None:
    """Returns the index of the first item that stands at the place of the one before it."""
    for index in range(1, len(positions)):
        if positions[index] == positions[index - 1]:
            return index
    return None


def target_index(
    count: int, moving: int, *, place: int | None, before: int | None, after: int | None
) -> int:
    """Returns where an item comes to stand among the others, counted without it.

    `place` counts from 1; `before` and `after` are indexes of other items.
    """
    if before is not None:
        wanted = before - (before > moving)
    elif after is not None:
        wanted = after - (after > moving) + 1
    else:
        wanted = (place or 1) - 1
    return max(0, min(wanted, count - 1))
