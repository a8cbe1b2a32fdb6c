"""What was found out a few seconds ago, for engines that cannot say whether anything changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from commonroom.http.versioned_cache import EntryKey
from commonroom.store import Ref
from commonroom.store.own_writes import OwnWrites

T = TypeVar("T")

MAX_ENTRIES = 1000
MAX_SECONDS = 10.0
"""How long what another process changes may go unnoticed."""


class TimedEntry(Struct, Generic[T], frozen=True):
    """An answer, how many writes there were before it was looked up, and when it counts."""

    answer: T
    number: int
    since: float
    until: float


class TimedCache(Generic[T]):
    """Answers to questions, each kept for a few seconds from before it was looked up.

    What this process itself writes to an item that an answer was made of ends it at once.
    """

    def __init__(self, own_writes: OwnWrites, items_of: Callable[[T], Iterable[Ref[Any]]]) -> None:
        self._own_writes = own_writes
        self._items_of = items_of
        self._entries: dict[Hashable, TimedEntry[T]] = {}

    def key_for(self, question: Hashable) -> EntryKey:
        """Returns where a question's answer is kept: to be taken before the answer is looked up."""
        return self._own_writes.number, question

    def find(self, key: EntryKey, now: float, *, fresh: bool = False) -> T | None:
        """The answer to a question; what no longer holds, or is not fresh enough, is forgotten."""
        _, question = key
        entry = self._entries.get(question)
        if entry is None:
            return None
        if not fresh and entry.since <= now < entry.until and not self._is_changed(entry):
            return entry.answer
        del self._entries[question]
        return None

    def keep(self, key: EntryKey, answer: T, now: float, until: float) -> None:
        """Keeps an answer for as long as it may hold, and a few seconds at most."""
        number, question = key
        entry = TimedEntry(answer, number, now, min(now + MAX_SECONDS, until))
        if entry.until <= now or self._is_changed(entry):
            return
        self._entries.pop(question, None)  # so that it becomes the newest
        self._entries[question] = entry
        while len(self._entries) > MAX_ENTRIES:
            del self._entries[next(iter(self._entries))]

    def _is_changed(self, entry: TimedEntry[T]) -> bool:
        return self._own_writes.any_since(entry.number, self._items_of(entry.answer))
