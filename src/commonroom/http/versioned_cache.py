"""What was found out a moment ago, and still holds because nothing at all has changed since."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

T = TypeVar("T")

MAX_ENTRIES = 1000
MAX_SECONDS = 60.0

EntryKey: TypeAlias = tuple[int, Hashable]
"""A question, as of a change number of the store."""


class VersionedEntry(Struct, Generic[T], frozen=True):
    """An answer, and the time in which it counts."""

    answer: T
    since: float
    until: float


class VersionedCache(Generic[T]):
    """Answers to questions, each kept under the key that its question had before it was looked up.

    Whatever changes in the store gives every question another key. So an answer is found only as
    long as nothing has changed since before it was looked up.
    """

    def __init__(self, change_number: Callable[[], int | None]) -> None:
        self._change_number = change_number
        self._number: int | None = None
        self._entries: dict[EntryKey, VersionedEntry[T]] = {}

    def key_for(self, question: Hashable) -> EntryKey | None:
        """Returns where a question's answer is kept at present; None where nothing can be kept.

        It is to be taken before anything is read that the answer is made of.
        """
        number = self._number
        if number is None:
            number = self._look()
        return None if number is None else (number, question)

    def find(self, key: EntryKey, now: float, *, fresh: bool = False) -> T | None:  # noqa: ARG002
        """Returns the answer under a key, which is as fresh as one that is looked up."""
        entry = self._entries.get(key)
        return entry.answer if entry is not None and entry.since <= now < entry.until else None

    def keep(self, key: EntryKey, answer: T, now: float, until: float) -> None:
        """Keeps an answer under the key that was taken for it, until it would no longer hold."""
        if until <= now:
            return
        self._entries.pop(key, None)  # so that it becomes the newest
        self._entries[key] = VersionedEntry(answer, now, min(now + MAX_SECONDS, until))
        while len(self._entries) > MAX_ENTRIES:
            del self._entries[next(iter(self._entries))]

    def _look(self) -> int | None:
        """The number for all who wait for their turn now: they asked before it was looked at."""
        number = self._number = self._change_number()
        if number is not None:
            # Callers from now on stand behind this in the loop's queue, and look again. So do those
            # who learn of a change from now on: they learn of it through the same queue.
            asyncio.get_running_loop().call_soon(self._look_again)
        return number

    def _look_again(self) -> None:
        self._number = None
