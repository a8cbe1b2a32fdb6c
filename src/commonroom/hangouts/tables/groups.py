"""Groups of friends: who is in, and how others come in."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from commonroom.hangouts.tables.inviter import NO_NAME, NOBODY, inviter
from commonroom.moments import UNKNOWN
from commonroom.store import Entity, Keys, Missing

Role: TypeAlias = Literal["ADMIN", "MEMBER"]


class FriendGroup(Entity, table=inviter, kind="GROUP", rename="camel"):
    """A group of friends: the canonical record."""

    group_id: str
    group_name: str
    is_public: bool = False
    created_by: str
    created_at: str
    updated_at: str

    # Beyond the data model.
    colour: str | None = None
    picture: str | None = None
    """One of the pictures that come with Commonroom, by name."""
    member_count: int = 0
    admin_count: int = 0
    """Held by conditions, so that a group never stays behind without an admin."""
    invite_codes: list[str] = field(default_factory=list)
    """The codes that may let a person in; held by a condition, so that there are not too many."""
    place_count: int = 0
    idea_list_count: int = 0
    idea_count: int = 0
    """These three are held by conditions, so that all places, and all ideas, are one page."""
    version: int = 1

    unversioned = frozenset(
        {
            "member_count",
            "admin_count",
            "invite_codes",
            "place_count",
            "idea_list_count",
            "idea_count",
        }
    )
    missing = Missing(group_name=NO_NAME, created_by=NOBODY, created_at=UNKNOWN, updated_at=UNKNOWN)
    keys = Keys(PK="GROUP#{group_id}", SK="METADATA")


class GroupMembership(Entity, table=inviter, kind="MEMBERSHIP", rename="camel"):
    """A person in a group, with the names that lists show."""

    group_id: str
    user_id: str
    group_name: str
    user_name: str | None = None
    role: Role = "MEMBER"
    joined_at: str

    missing = Missing(group_name=NO_NAME, joined_at=UNKNOWN)
    keys = Keys(
        PK="GROUP#{group_id}",
        SK="USER#{user_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="GROUP#{group_id}",
    )


class HangoutPerson(Entity, table=inviter, kind="PERSON", rename="camel"):
    """What the room knows of a person beyond the account; made with their first group or place."""

    user_id: str
    user_name: str | None = None
    """What others in their groups find them by."""
    group_count: int = 0
    """Held by a condition: nobody is in too many groups."""
    groups: dict[str, str] = field(default_factory=dict)
    """Which groups they are in, and since when: where an index might not know the latest."""
    place_count: int = 0
    """Held by a condition, as a group's."""
    home_place_id: str | None = None
    """Which of their places is home."""

    keys = Keys(PK="USER#{user_id}", SK="METADATA")


class InviteCode(Entity, table=inviter, kind="INVITE_CODE", rename="camel"):
    """Eight characters that let a person in."""

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
