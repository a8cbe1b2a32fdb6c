"""Groups of friends: who is in, how others come in, and what they might do one day."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from commonroom.store import Entity, Index, Keys, Table, number

# The seed's query patterns write PK and SK; only the keys of its indexes are in lower case.
inviter = Table(
    "InviterTable",
    room="hangouts",
    partition="PK",
    sort="SK",
    discriminator="itemType",  # beyond the seed, whose partitions hold several kinds
    stream=True,
    indexes=[
        Index("UserGroupIndex", "gsi1pk", "gsi1sk"),
        Index("EntityTimeIndex", "gsi1pk", number("startTimestamp")),
    ],
)


class Group(Entity, table=inviter, kind="GROUP", rename="camel"):
    """A group of friends: the canonical record."""

    group_id: str
    group_name: str
    is_public: bool = False
    created_by: str
    created_at: str
    updated_at: str
    member_count: int = 0
    admin_count: int = 0
    """Held by conditions, so that a group never stays behind without an admin."""
    version: int = 1

    unversioned = frozenset({"member_count", "admin_count"})
    keys = Keys(PK="GROUP#{group_id}", SK="METADATA")


class Membership(Entity, table=inviter, kind="MEMBERSHIP", rename="camel"):
    """A person in a group, with the names that lists show."""

    group_id: str
    user_id: str
    group_name: str
    user_name: str | None = None
    role: Literal["ADMIN", "MEMBER"] = "MEMBER"
    joined_at: str

    keys = Keys(
        PK="GROUP#{group_id}",
        SK="USER#{user_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="GROUP#{group_id}",
    )


class InviteCode(Entity, table=inviter, kind="INVITE_CODE", rename="camel"):
    """Eight characters that let somebody in."""

    code: str
    group_id: str
    created_by: str
    created_at: str
    expires_at: str | None = None
    single_use: bool = False
    used_at: str | None = None
    """When the one use of a code for a single use was made."""

    keys = Keys(
        PK="INVITE#{code}",
        SK="METADATA",
        gsi1pk="GROUP#{group_id}",
        gsi1sk="INVITE#{code}",
    )


class IdeaList(Entity, table=inviter, kind="IDEA_LIST", rename="camel"):
    """Things that a group might do."""

    group_id: str
    list_id: str
    name: str
    note: str | None = None
    created_by: str
    created_at: str

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


class CalendarToken(Entity, table=inviter, kind="CALENDAR_TOKEN", rename="camel"):
    """What opens a person's calendar feed; the address names the person, and one token is valid."""

    user_id: str
    token_hash: str
    created_at: str

    keys = Keys(PK="USER#{user_id}", SK="CALENDAR")
