"""Retry of a write that lost a race."""

from __future__ import annotations

import pytest

from commonroom.errors import CommonroomError
from commonroom.store import ConditionFailed, Retry

TRIES = 5


class TooLate(CommonroomError):
    """A room's own error."""

    status = 409


class NotYours(CommonroomError):
    """What trying again does not change."""


class Contested:
    """Something that others are quicker at, so many times."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.tries = 0

    async def __call__(self) -> str:
        self.tries += 1
        if self.tries <= self.times:
            raise ConditionFailed(0, None)
        return "done"


retry = Retry(tries=TRIES, refusal=TooLate)


@pytest.mark.parametrize("times", [0, 1, TRIES - 1])
async def test_tries_until_it_is_done(times: int) -> None:
    contested = Contested(times)

    assert await retry(contested)() == "done"
    assert contested.tries == times + 1


async def test_gives_up_after_some_tries_and_says_so_in_the_rooms_own_error() -> None:
    contested = Contested(1000)

    with pytest.raises(TooLate, match="try again"):
        await retry(contested)()

    assert contested.tries == TRIES


async def test_does_not_try_again_what_is_refused() -> None:
    tries = 0

    async def refused() -> None:
        nonlocal tries
        tries += 1
        raise NotYours("No.")

    with pytest.raises(NotYours):
        await retry(refused)()
    assert tries == 1
