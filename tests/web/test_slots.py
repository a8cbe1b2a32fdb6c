"""Slots are taken and given back, in all and by key."""

from __future__ import annotations

import pytest

from commonroom.web.errors import Overloaded, TooManyRequests
from commonroom.web.request_limits import Slots


def test_a_key_has_its_share_and_others_have_theirs() -> None:
    slots = Slots(10)
    slots.take({"home": 2})
    slots.take({"home": 2})
    with pytest.raises(TooManyRequests):
        slots.take({"home": 2})
    slots.take({"elsewhere": 2})
    assert slots.taken == 3


def test_whoever_is_refused_for_one_key_takes_nothing_of_another() -> None:
    slots = Slots(10)
    slots.take({"ada": 1})
    with pytest.raises(TooManyRequests):
        slots.take({"home": 1, "ada": 1})
    slots.take({"home": 1})
    assert slots.taken == 2


def test_there_are_only_so_many_in_all() -> None:
    slots = Slots(1)
    slots.take({"home": 2})
    with pytest.raises(Overloaded):
        slots.take({"elsewhere": 2})


def test_what_is_given_back_can_be_taken_again() -> None:
    slots = Slots(1)
    for _ in range(3):
        slots.take({"home": 1})
        slots.free({"home": 1})
    assert slots.taken == 0
