"""How much of a walk is walked: a sample, the same each time, or with WHOLE_WALK=1 all of it."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

WHOLE_WALK = os.environ.get("WHOLE_WALK") == "1"


def sampled(things: Sequence[T], most: int) -> list[T]:
    """As many of them as there is time for, in their order."""
    if WHOLE_WALK or len(things) <= most:
        return list(things)
    chosen = sorted(random.Random(most).sample(range(len(things)), most))
    return [things[place] for place in chosen]


def examples(number: int) -> int:
    """How many random histories a property is tried with: four tenths of these, or all of them.

    A fault that one history in twenty shows is found either way; rarer ones are for the whole walk.
    """
    return number if WHOLE_WALK else max(4, number * 4 // 10)
