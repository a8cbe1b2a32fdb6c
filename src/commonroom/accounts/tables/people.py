"""What is stored of people: the `Users` table of the movie-night model, which all rooms share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from commonroom.store import Entity, Index, Table, many, one

Ceiling: TypeAlias = Literal["G", "PG", "PG-13", "R"]
"""The strictest rating comes first."""
NotificationPrefs: TypeAlias = dict[str, bool]
"""Whether a person wants to hear of something, by the names that rooms declare; what is not there
is wanted."""
SEED_PREFS: Mapping[str, bool] = {"vote_nudge": True, "pick_announce": True, "new_round": True}
"""What a new account stores, as the seed's model has it."""

users = Table(
    "Users",
    room="movienight",
    partition="user_id",
    indexes=[Index("email-index", "email"), Index("parent-index", "parent_user_id")],
    stream=True,
)


class User(Entity, table=users):
    """A person: an independent member with a login, or a managed one without."""

    user_id: str
    """A UUID or an OpenID provider's `sub`; `managed_<uuid>` for managed members."""
    email: str | None = None
    display_name: str
    avatar_key: str | None = None
    is_managed: bool = False
    parent_user_id: str | None = None
    content_rating_ceiling: Ceiling | None = None
    created_at: str
    last_active_at: str | None = None
    notification_prefs: NotificationPrefs | None = None
    """None for managed members: what concerns them goes to nobody."""
    device_token: str | None = None

    # Beyond the seed.
    household_id: str | None = None
    """The one household of a person. Joining sets it on condition that it is absent, so the rule
    holds under two simultaneous requests; it keys no index, because an index may lag behind."""
    is_admin: bool = False
    disabled_at: str | None = None
    epoch: int = 0
    """Sessions and tokens carry the one they were made in; raising it ends all of them at once."""
    managed_count: int = 0
    """How many managed members a person has; the limit is held by a condition on it."""
    language: str | None = None
    time_zone: str | None = None
    updated_at: str | None = None
    email_confirmed_at: str | None = None
    """When the person showed that letters to the address reach them."""
    new_email: str | None = None
    """Another address, which becomes theirs once they confirm it."""
    address_changes: int | None = None
    """How often the address has changed. Links carry the number they were made at, so that none
    outlives a change, not even where the old address comes back."""


user_by_id = one(users, "Get user by ID", gives=User)
user_by_email = many(users, "Get user by email", index="email-index", gives=User)
managed_members = many(users, "Get managed members for parent", index="parent-index", gives=User)
