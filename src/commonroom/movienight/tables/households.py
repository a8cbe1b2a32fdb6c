"""Households: the data model's groups, their members, what these like, and how others come in."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from commonroom.accounts.tables import Ceiling
from commonroom.store import Entity, Index, Table, many, one

groups = Table("Groups", room="movienight", partition="group_id", stream=True)

group_memberships = Table(
    "GroupMemberships",
    room="movienight",
    partition="group_id",
    sort="user_id",
    indexes=[Index("user-groups-index", "user_id")],
)

preferences = Table("Preferences", room="movienight", partition="group_id", sort="user_id")

invites = Table(
    "Invites",
    room="movienight",
    partition="invite_id",
    indexes=[
        Index("token-index", "invite_token"),
        Index("group-invites-index", "group_id", "created_at"),
    ],
    ttl="ttl",
)


class Household(Entity, table=groups):
    """A household."""

    group_id: str
    name: str
    created_by: str
    """The creator, or their successor."""
    streaming_services: list[str] = field(default_factory=list)
    created_at: str

    # Beyond the data model: what conditional writes hold, because no index is sure to be fresh.
    member_count: int = 0
    member_ids: list[str] = field(default_factory=list)
    """Who has a membership, so that the home reads all of them by key. Households of earlier
    versions list nobody or only who came since: they have more members than this."""
    open_round_id: str | None = None
    """The one round that is a draft or being voted on."""
    wish_count: int = 0
    votes_are_open: bool = False
    """Whether everybody sees who votes how, in rounds that begin from now on."""
    updated_at: str | None = None
    version: int = 0
    """Raised by every change of the household, its members and its wish list: what live pages
    watch."""


class HouseholdMembership(Entity, table=group_memberships):
    """A person in a household."""

    group_id: str
    user_id: str
    role: Literal["creator", "member"] = "member"
    member_type: Literal["independent", "managed"] = "independent"
    joined_at: str


class Preferences(Entity, table=preferences):
    """What one member likes and may see."""

    group_id: str
    user_id: str
    genre_likes: list[str] = field(default_factory=list)
    genre_dislikes: list[str] = field(default_factory=list)
    max_content_rating: Ceiling
    updated_at: str


class Invite(Entity, table=invites):
    """A link into a household, for several people. Only a digest of its secret is stored.

    It is `pending` as long as it can let a person in, and `accepted` once its last person has
    joined: the one who took the household's last place. That it has `expired` is true by the clock
    and not written: readers look at `expires_at` (`rules.households.invite_status`).
    """

    invite_id: str
    group_id: str
    created_by: str
    invite_token: str
    """The digest. The secret itself in invites of earlier versions, which are gone after a week."""
    status: Literal["pending", "accepted", "revoked", "expired"] = "pending"
    created_at: str
    expires_at: str
    ttl: int
    """Expiry and 24 hours more, so that the page can still say “expired”."""

    # Beyond the data model.
    uses: int = 0
    """How many people came in with it."""
    ended_at: str | None = None
    """When it was used up or revoked; it is shown for 24 hours after that."""


group_by_id = one(groups, "Get group by ID", gives=Household)

members_of_group = many(group_memberships, "Get members of a group", gives=HouseholdMembership)
group_of_user = many(
    group_memberships, "Get group for a user", index="user-groups-index", gives=HouseholdMembership
)
membership = one(group_memberships, "Get one membership", gives=HouseholdMembership)

preferences_of_member = one(preferences, "Get member prefs in a group", gives=Preferences)
preferences_of_group = many(preferences, "Get all prefs for a group", gives=Preferences)

invite_by_id = one(invites, "Get invite by ID", gives=Invite)
invite_by_token = many(invites, "Get invite by token", index="token-index", gives=Invite)
invites_of_group = many(
    invites,
    "List invites for a group",
    index="group-invites-index",
    newest_first=True,
    gives=Invite,
)
