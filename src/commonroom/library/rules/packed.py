"""Packed lists: many texts or numbers in one piece of memory, a fraction of what objects take."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from sys import getsizeof


class PackedTexts:
    """A list of texts, each made anew when it is asked for."""

    def __init__(self, texts: Iterable[str]) -> None:
        packed, self._bounds = bytearray(), array("I", [0])
        for text in texts:
            packed += text.encode()
            self._bounds.append(len(packed))
        self._packed = bytes(packed)

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def __getitem__(self, number: int) -> str:
        return self._packed[self._bounds[number] : self._bounds[number + 1]].decode()

    def raw(self, number: int) -> bytes:
        """Returns a text as UTF-8, in which texts have the same order."""
        return self._packed[self._bounds[number] : self._bounds[number + 1]]

    def length(self, number: int) -> int:
        """Returns how many bytes of UTF-8 a text has."""
        return self._bounds[number + 1] - self._bounds[number]

    @property
    def bytes(self) -> int:
        """What it takes in memory."""
        return getsizeof(self._packed) + getsizeof(self._bounds)


class PackedLists:
    """A list of lists of numbers below 2³²."""

    def __init__(self, lists: Iterable[Sequence[int]]) -> None:
        self._numbers, self._ends = array("I"), array("I")
        for one in lists:
            self._numbers.extend(one)
            self._ends.append(len(self._numbers))

    def joined(self, first: int, end: int) -> Sequence[int]:
        """The numbers of several lists that follow each other, from one up to before another."""
        if first == end:
            return ()
        start = self._ends[first - 1] if first else 0
        return self._numbers[start : self._ends[end - 1]]

    @property
    def bytes(self) -> int:
        """What it takes in memory."""
        return getsizeof(self._numbers) + getsizeof(self._ends)
