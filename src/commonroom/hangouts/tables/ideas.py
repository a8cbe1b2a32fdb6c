"""Ideas: what a group might do one day, in lists."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from commonroom.hangouts.tables.inviter import inviter
from commonroom.store import Entity, Keys

Category: TypeAlias = Literal[
    "food", "activity", "trail", "film", "show", "book", "travel", "bar", "other"
]


class IdeaList(Entity, table=inviter, kind="IDEA_LIST", rename="camel"):
    """Things that a group might do."""

    group_id: str
    list_id: str
    name: str
    category: Category = "other"
    note: str | None = None
    idea_count: int = 0
    """Held by a condition, so that a list stays one page."""
    created_by: str
    created_at: str
    version: int = 1

    unversioned = frozenset({"idea_count"})
    keys = Keys(PK="GROUP#{group_id}", SK="IDEALIST#{list_id}")


class Idea(Entity, table=inviter, kind="IDEA", rename="camel"):
    """One of them."""

    group_id: str
    list_id: str
    idea_id: str
    name: str
    note: str | None = None
    url: str | None = None
    created_by: str
    created_at: str
    interested: dict[str, str] = field(default_factory=dict)
    """Who is interested, and since when; their number is the interest count."""
    hangout_id: str | None = None
    """What became of it."""

    keys = Keys(PK="GROUP#{group_id}", SK="IDEALIST#{list_id}#IDEA#{idea_id}")
