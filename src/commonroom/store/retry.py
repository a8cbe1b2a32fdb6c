"""Retry of a write that lost a race: optimistic locking, tried anew from the read on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.store.errors import ConditionFailed

P = ParamSpec("P")
T = TypeVar("T")


class Retry(Struct, frozen=True):
    """A decorator: calls a function up to so many times, while a condition of its write fails.

    Then it raises a room's own error for a lost race.
    """

    tries: int
    refusal: type[CommonroomError]

    def __call__(
        self, attempt: Callable[P, Coroutine[Any, Any, T]]
    ) -> Callable[P, Coroutine[Any, Any, T]]:
        """Returns the function as it is retried; it reads and writes anew each time."""

        @wraps(attempt)
        async def retried(*args: P.args, **kwargs: P.kwargs) -> T:
            for _ in range(self.tries):
                try:
                    return await attempt(*args, **kwargs)
                except ConditionFailed:
                    continue
            raise self.conflict()

        return retried

    def conflict(self) -> CommonroomError:
        """Returns the error for a caller who came second."""
        return self.refusal("Somebody was quicker. Please try again.")
