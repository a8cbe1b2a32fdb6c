"""What the API shows of households."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from commonroom.accounts.tables import Ceiling, User
from commonroom.movienight import tables
from commonroom.movienight.rules.households import Member
from commonroom.movienight.service import inviting
from commonroom.web.people.api.views import Moment


class Household(Struct, frozen=True):
    """A household."""

    group_id: str
    name: str
    created_by: Annotated[str, Meta(description="The creator’s `user_id`.")]
    streaming_services: list[str]
    member_count: int
    wish_count: int
    votes_are_open: Annotated[
        bool,
        Meta(description="Whether everyone sees who votes for what, from the next round on."),
    ]
    open_round_id: Annotated[
        str | None, Meta(description="The round that is a draft or being voted on.")
    ]
    created_at: Moment
    updated_at: Moment | None


class HouseholdMember(Struct, frozen=True):
    """Somebody in a household."""

    user_id: str
    display_name: Annotated[str | None, Meta(description="Null where the account is deleted.")]
    avatar_key: str | None
    role: Literal["creator", "member"]
    member_type: Literal["independent", "managed"]
    parent_user_id: str | None
    content_rating_ceiling: Ceiling | None
    joined_at: Moment


class AddedMember(Struct, frozen=True):
    """A managed member of a household."""

    user_id: str
    display_name: str
    avatar_key: str | None
    parent_user_id: str | None
    content_rating_ceiling: Ceiling | None
    created_at: Moment


class Invite(Struct, frozen=True):
    """A link into a household."""

    invite_id: Annotated[str, Meta(description="Identifies it; not a secret.")]
    created_by: Annotated[str, Meta(description="The `user_id` of the person who created it.")]
    uses: Annotated[int, Meta(description="How many people joined with it.")]
    created_at: Moment
    expires_at: Moment


class InviteWithToken(Invite, frozen=True):
    """A new invite."""

    invite_token: Annotated[str, Meta(description="It is shown only once.")]
    path: Annotated[str, Meta(description="Path of the page to join.")]


class Preview(Struct, frozen=True):
    """What anybody may see who has a link."""

    name: str
    size: int
    full: bool


class MemberPreferences(Struct, frozen=True):
    """What a member likes and may see."""

    user_id: str
    genre_likes: list[str]
    genre_dislikes: list[str]
    max_content_rating: Ceiling
    updated_at: Moment


def household(group: tables.Group) -> Household:
    """A household as its members see it."""
    return msgspec.convert(group, Household, from_attributes=True)


def household_member(one: Member) -> HouseholdMember:
    """A member as the others see them."""
    user, membership = one.user, one.membership
    return HouseholdMember(
        user_id=membership.user_id,
        display_name=None if user is None else user.display_name,
        avatar_key=None if user is None else user.avatar_key,
        role=membership.role,
        member_type=membership.member_type,
        parent_user_id=None if user is None else user.parent_user_id,
        content_rating_ceiling=None if user is None else user.content_rating_ceiling,
        joined_at=membership.joined_at,
    )


def added_member(user: User) -> AddedMember:
    """A managed member as whoever may change it sees it."""
    return msgspec.convert(user, AddedMember, from_attributes=True)


def invite(one: tables.Invite) -> Invite:
    """An invite as the creator sees it."""
    return msgspec.convert(one, Invite, from_attributes=True)


def new_invite(made: inviting.NewInvite) -> InviteWithToken:
    """An invite as the creator sees it once."""
    shown = msgspec.structs.asdict(invite(made.invite))
    return InviteWithToken(**shown, invite_token=made.token, path=f"/join/{made.token}")


def preview(seen: inviting.Preview) -> Preview:
    """An invite as anybody sees it."""
    return msgspec.convert(seen, Preview, from_attributes=True)


def preferences(one: tables.Preferences) -> MemberPreferences:
    """A member's preferences."""
    return msgspec.convert(one, MemberPreferences, from_attributes=True)
