"""The connection between a room that knows what was watched together and one that keeps marks.

Neither knows the other: one declares `WatchedTitles`, the other `WatchedFollower`, the house joins
them (`house/watched_titles.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from commonroom.store import Entity, Store, Write
from commonroom.titles.titles import TitleFacts


class Evening(Struct, frozen=True):
    """When a title was watched together, and by whom."""

    watched_at: str
    people: tuple[str, ...]


Evenings: TypeAlias = Mapping[str, Evening]
"""By an id that no two evenings share."""
Marks: TypeAlias = Mapping[str, dict[str, str]]
"""By person: the evenings with their moments."""
Gone: TypeAlias = Mapping[str, Collection[str]]
"""By person: the evenings that were not, after all."""


class WatchedTitles(Struct, frozen=True):
    """What a room knows to have been watched."""

    entity: type[Entity]
    """Whose changes tell of it."""
    title: Callable[[Any], TitleFacts]
    evenings: Callable[[Any], Evenings]
    is_undone: Callable[[Store, Any], Awaitable[bool]]
    """Whether one that is gone was taken back, rather than cleared up with all else."""


class WatchedFollower(Struct, frozen=True):
    """What a room does about titles that were watched together; all of it may happen twice."""

    follow: Callable[[Store, float, TitleFacts, Marks, Gone], Awaitable[None]]
    """Makes marks, and takes others back."""
    missing: Callable[[Store, TitleFacts, Marks], Awaitable[list[Write]]]
    """Returns the writes of marks that should be there and are not."""
