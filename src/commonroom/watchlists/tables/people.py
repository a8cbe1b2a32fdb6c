"""Profiles, who is a curator, and who follows whom."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.store import Entity, Keys, begins_with, between, many, one
from commonroom.titles.tables import worth_watch

CuratorStatus: TypeAlias = Literal["pending", "approved", "suspended", "declined"]
"""`declined` is beyond the data model."""


class CuratorMove(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """A step on the way to being a curator, or away from it."""

    to: CuratorStatus
    by: str
    at: str
    reason: str | None = None


class Profile(Entity, table=worth_watch, kind="USER", rename="camel"):
    """The data model's user: what watchlists know of an account."""

    user_id: str
    email: str | None = None
    username: str
    created_at: str
    updated_at: str
    bio: str | None = None
    avatar_url: str | None = None
    """The address of a picture, which pages show from this server; before it, `avatar_key`."""
    is_curator: bool = False
    curator_status: CuratorStatus | None = None

    # Beyond the data model.
    avatar_key: str | None = None
    motivation: str | None = None
    curator_since: str | None = None
    """Since when the status is what it is; the key of the person's `CuratorEntry` has it."""
    curator_moves: list[CuratorMove] = field(default_factory=list)
    follower_count: int = 0
    list_count: int = 0
    """How many lists the person has; the limit is held by a condition on it."""
    public_list_count: int = 0
    version: int = 1

    unversioned = frozenset({"follower_count", "list_count", "public_list_count"})
    keys = Keys(PK="USER#{user_id}", SK="PROFILE")


class UsernameClaim(Entity, table=worth_watch, kind="USERNAME_CLAIM", rename="camel"):
    """A profile's claim to its username, ignoring case."""

    username: str
    user_id: str

    keys = Keys(PK="USERNAME#{username:lower}", SK="CLAIM")


class EmailClaim(Entity, table=worth_watch, kind="EMAIL_CLAIM", rename="camel"):
    """A profile's claim to its e-mail address, ignoring case.

    The attribute is not called `email`: GSI1 would show the claim beside the profile.
    """

    address: str
    user_id: str

    keys = Keys(PK="EMAIL#{address:lower}", SK="CLAIM")


class CuratorEntry(Entity, table=worth_watch, kind="CURATOR_ENTRY", rename="camel"):
    """A person among those of one status; written and removed with every step.

    Applications are those that are `pending`.
    """

    status: CuratorStatus
    since: str
    user_id: str

    keys = Keys(PK="CURATORS#{status}", SK="{since:ms}#{user_id}")


class Following(Entity, table=worth_watch, kind="USER_FOLLOWING", rename="camel"):
    """A curator whom a person follows."""

    user_id: str
    curator_id: str
    followed_at: str

    keys = Keys(PK="USER#{user_id}", SK="FOLLOWING#{curator_id}")


class Follower(Entity, table=worth_watch, kind="USER_FOLLOWER", rename="camel"):
    """The way back from a curator to a follower; written and removed with `Following`."""

    curator_id: str
    user_id: str
    followed_at: str

    keys = Keys(PK="USER#{curator_id}", SK="FOLLOWER#{user_id}")


profile_by_id = one(worth_watch, "Get user by ID", gives=Profile)
profile_by_email = many(worth_watch, "Get user by email", index="GSI1", gives=Profile)
curators_of_status = many(
    worth_watch, "Get curators by status", newest_first=True, gives=CuratorEntry
)
username_claim = one(worth_watch, "Get who claims a username", gives=UsernameClaim)
email_claim = one(worth_watch, "Get who claims an e-mail address", gives=EmailClaim)
following = many(
    worth_watch,
    "Get the curators that a user follows",
    sort=begins_with("FOLLOWING#"),
    gives=Following,
)
followers = many(
    worth_watch,
    "Get everyone who follows a curator",
    sort=begins_with("FOLLOWER#"),
    gives=Follower,
)
followers_from = many(
    worth_watch,
    "Get those who follow a curator, from one on",
    sort=between("FOLLOWER#{user_id}", "FOLLOWER$"),  # which comes behind all of them
    gives=Follower,
)
