"""Slots: how many of something there may be at a time, in all and for each key."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from commonroom.web.errors import Overloaded, TooManyRequests


class Slots:
    """What one process holds at a time; a key that holds nothing is not remembered."""

    def __init__(self, most: int) -> None:
        self.taken = 0
        self._most = most
        self._by_key: dict[Hashable, int] = {}

    def take(self, shares: Mapping[Hashable, int]) -> None:
        """Takes one for all of these keys; refused where one of them has its share already."""
        if any(self._by_key.get(key, 0) >= share for key, share in shares.items()):
            raise TooManyRequests
        if self.taken >= self._most:
            raise Overloaded
        self.taken += 1
        for key in shares:
            self._by_key[key] = self._by_key.get(key, 0) + 1

    def free(self, shares: Mapping[Hashable, int]) -> None:
        """Gives back what was taken."""
        self.taken -= 1
        for key in shares:
            left = self._by_key[key] - 1
            if left:
                self._by_key[key] = left
            else:
                del self._by_key[key]
