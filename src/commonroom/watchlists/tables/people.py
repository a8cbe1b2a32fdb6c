"""Profiles and curators, and what people save and rate."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from commonroom.catalog.tables import worth_watch
from commonroom.catalog.titles import ContentType
from commonroom.store import Entity, Keys

CuratorStatus: TypeAlias = Literal["pending", "approved", "suspended", "declined"]
"""`declined` is beyond the seed."""


class CuratorMove(Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """A step on the way to being a curator, or away from it."""

    to: CuratorStatus
    by: str
    at: str
    reason: str | None = None


class Profile(Entity, table=worth_watch, kind="USER", rename="camel"):
    """The seed's user: what watchlists know of an account."""

    user_id: str
    email: str | None = None
    username: str
    created_at: str
    updated_at: str
    bio: str | None = None
    avatar_url: str | None = None
    is_curator: bool = False
    curator_status: CuratorStatus | None = None

    # Beyond the seed.
    motivation: str | None = None
    curator_moves: list[CuratorMove] = field(default_factory=list)

    keys = Keys(PK="USER#{user_id}", SK="PROFILE")


class EmailClaim(Entity, table=worth_watch, kind="EMAIL_CLAIM", rename="camel"):
    """A profile's claim to its e-mail address, ignoring case.

    The attribute is not called `email`: GSI1 would show the claim beside the profile.
    """

    address: str
    user_id: str

    keys = Keys(PK="EMAIL#{address:lower}", SK="CLAIM")


class SavedWatchlist(Entity, table=worth_watch, kind="USER_SAVED_WATCHLIST", rename="camel"):
    """A list that somebody follows."""

    user_id: str
    watchlist_id: str
    saved_at: str

    # Beyond the seed.
    title: str | None = None
    """As it was when saved: what is shown once the list is no longer available."""

    keys = Keys(PK="USER#{user_id}", SK="SAVED#WATCHLIST#{watchlist_id}")


class Saver(Entity, table=worth_watch, kind="WATCHLIST_SAVER", rename="camel"):
    """The way back from a list to those who saved it; written and removed with `SavedWatchlist`."""

    watchlist_id: str
    user_id: str
    saved_at: str

    keys = Keys(PK="WATCHLIST#{watchlist_id}", SK="SAVER#{user_id}")


class Rating(Entity, table=worth_watch, kind="RATING", rename="camel"):
    """What somebody thinks of a film or show."""

    user_id: str
    content_type: ContentType
    content_id: str
    rating: int
    """1 to 10."""
    review: str | None = None
    rated_at: str

    keys = Keys(PK="USER#{user_id}", SK="RATING#{content_type}#{content_id}")
