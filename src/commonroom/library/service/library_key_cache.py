"""A cache of where the libraries are that people may look into, kept for a few seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from commonroom.library.tables import shared_libraries
from commonroom.store import Store

MAX_PEOPLE = 1000
MAX_LIBRARIES = 100
"""Of one person; who may look into more libraries has them looked up each time."""
MAX_SECONDS = 10.0
"""How long a library that is made or shared in another process may go unnoticed."""
LAG_SECONDS = 5.0
"""How long an index may take to show what was written."""
UNSETTLED_SECONDS = 1.0
"""For what an index may not have shown yet."""

LibraryKey: TypeAlias = tuple[str, str]
"""The owner of a library, and the library."""


class LibraryKeyMark(Struct, frozen=True):
    """What this process last wrote of a person's, and when that was noticed."""

    write: int
    noticed_at: float

    @property
    def settles_at(self) -> float:
        """From when on an index surely shows it; what another process wrote is not waited for."""
        return self.noticed_at + LAG_SECONDS if self.write else self.noticed_at


class KnownLibraryKeys(Struct, frozen=True):
    """Where a person's libraries are, as of a mark and for some time."""

    mark: LibraryKeyMark
    keys: Sequence[LibraryKey]
    until: float


class LibraryKeyCache:
    """Places that were read lately: a hint where to look, which opens no library by itself.

    What this process writes to a person's partition, such as a library that is made for them or
    shared with them, ends it at once.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: dict[str, KnownLibraryKeys] = {}

    def mark(self, store: Store, owner_id: str) -> LibraryKeyMark:
        """What was last written of a person's: to be taken before their libraries are read."""
        write = store.own_writes.last_in(shared_libraries(shared_to_id=owner_id))
        known = self._known.get(owner_id)
        if known is not None and known.mark.write == write:
            return known.mark
        return LibraryKeyMark(write, self._clock())

    def find(self, owner_id: str, mark: LibraryKeyMark) -> Sequence[LibraryKey] | None:
        """Returns the libraries of a person; None where they have to be read."""
        known = self._known.get(owner_id)
        if known is None or known.mark != mark or known.until <= self._clock():
            return None
        return known.keys

    def keep(self, owner_id: str, mark: LibraryKeyMark, keys: Sequence[LibraryKey]) -> None:
        """Keeps the libraries of a person that were read after a mark was taken."""
        if len(keys) > MAX_LIBRARIES:
            return
        now = self._clock()
        seconds = MAX_SECONDS if mark.settles_at <= now else UNSETTLED_SECONDS
        self._known.pop(owner_id, None)  # so that it becomes the newest
        self._known[owner_id] = KnownLibraryKeys(mark, keys, now + seconds)
        while len(self._known) > MAX_PEOPLE:
            del self._known[next(iter(self._known))]
