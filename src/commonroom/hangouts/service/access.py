"""Access: which hangouts and groups a person may have, and that they still may when they write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.hangouts.rules.access import Standing, standing_of
from commonroom.hangouts.tables import (
    Attachment,
    BringItem,
    Car,
    FriendGroup,
    GroupMembership,
    GroupPlace,
    Hangout,
    HangoutPoll,
    Idea,
    IdeaList,
    Offer,
    PersonPlace,
    TalkMessage,
)
from commonroom.ids import is_id
from commonroom.store import Entity, Ref, Retry, Store, Write, check, equal, stored
from commonroom.store.values import Key

E = TypeVar("E", bound=Entity)

NO_SUCH: Mapping[type[Entity], str] = {
    Attachment: "This is not attached to the hangout.",
    BringItem: "This is not on the list any more.",
    Car: "This car is no longer there.",
    FriendGroup: "This group does not exist, or you are not a member.",
    GroupMembership: "They are not in this group.",
    GroupPlace: "This place does not exist.",
    Hangout: "This hangout does not exist, or you are not invited.",
    HangoutPoll: "This poll does not exist any more.",
    Idea: "This idea does not exist.",
    IdeaList: "This list does not exist.",
    Offer: "This offer is no longer there.",
    PersonPlace: "This place does not exist.",
    TalkMessage: "This message is no longer there.",
}
"""What is said where something is not there, or not for the caller."""

retry = Retry(tries=60, refusal=Conflict)
"""Retries a write that lost a race: enough for fifty people who answer in the same moment."""


class HangoutAccess(Struct, frozen=True):
    """A hangout that a person may have, with all that decided so, as it was read."""

    hangout: Hangout
    standing: Standing
    memberships: Sequence[GroupMembership] = ()
    """Theirs, in groups of the hangout."""
    groups: Sequence[FriendGroup] = ()
    """The hangout's."""
    also: Sequence[Any] = ()
    """What else was read with these, in the order asked for; None for what is not there."""

    @property
    def audience(self) -> int:
        """How many people the hangout is for."""
        return audience_of(self.hangout, self.groups)

    @property
    def still_allowed(self) -> list[Write]:
        """That they still may have it, where the hangout's own version does not hold that."""
        standing = self.standing
        if standing.is_maker or standing.is_invited:
            return []
        if self.memberships:
            best = max(self.memberships, key=lambda one: one.role == "ADMIN")
            return [check(best, if_=equal(role=best.role))]
        public = next(group for group in self.groups if group.is_public)
        return [check(public, if_=equal(is_public=True))]

    @property
    def unchanged(self) -> list[Write]:
        """That the hangout is as it was read, and still theirs."""
        same = equal(version=self.hangout.version)
        return [check(self.hangout, if_=same), *self.still_allowed]

    def editable(self) -> HangoutAccess:
        """Returns it if the caller may edit it; refuses otherwise."""
        if not self.standing.may_edit:
            raise Forbidden("Only members of its groups can change this hangout.")
        return self

    def extendable(self) -> HangoutAccess:
        """Returns it if the caller may add to it; refuses otherwise."""
        if not self.standing.may_add:
            raise Forbidden("Only members of its groups and people who are invited can add to it.")
        return self

    def manageable(self) -> HangoutAccess:
        """Returns it if the caller may manage it; refuses otherwise."""
        if not self.standing.may_manage:
            raise Forbidden(
                "Only whoever made this hangout, or an admin of its group, can do this."
            )
        return self


def audience_of(hangout: Hangout, groups: Sequence[FriendGroup]) -> int:
    """Returns how many people a hangout is for: members of its groups, and who else was invited."""
    members, invited = sum(one.member_count for one in groups), len(hangout.invited_user_ids)
    return members + (invited - 1 if groups and invited else invited)


async def open_hangout(
    ctx: Context, hangout_id: str, *, also: Sequence[Ref[Any]] = ()
) -> HangoutAccess:
    """Returns a hangout that the caller may have: two requests; `also` is read with the second."""
    return await access_to(ctx, await find_hangout(ctx.store, hangout_id), also=also)


async def open_thing(
    ctx: Context, ref: Ref[E], *, also: Sequence[Ref[Any]] = ()
) -> tuple[HangoutAccess, E]:
    """Returns a hangout that the caller may have, and a thing on it: two requests."""
    access = await open_hangout(ctx, ref.fields["hangout_id"], also=[*also, ref])
    *others, thing = access.also
    if thing is None:
        raise no_such(ref.entity)
    return replace(access, also=others), thing


async def find_hangout(store: Store, hangout_id: str) -> Hangout:
    """Returns a hangout without checking access: one request."""
    found = await store.get(Hangout.at(hangout_id=hangout_id)) if is_id(hangout_id) else None
    if found is None:
        raise no_such(Hangout)
    return found


async def read_by_key(store: Store, refs: Iterable[Ref[Any]]) -> dict[Key, Any]:
    """Returns what is there of some things, by where it is stored; each is read once."""
    each = {one.key: one for one in refs}
    read = await store.batch_get(list(each.values()))
    return {key: one for key, one in zip(each, read, strict=True) if one is not None}


async def access_to(
    ctx: Context, found: Hangout, *, also: Sequence[Ref[Any]] = ()
) -> HangoutAccess:
    """Returns access to a hangout that was read: one request, or none where it has no group."""
    me = ctx.person.user_id
    refs: list[Ref[Entity]] = [
        *(GroupMembership.at(group_id=one, user_id=me) for one in found.group_ids),
        *(FriendGroup.at(group_id=one) for one in found.group_ids),
        *also,
    ]
    read = await ctx.store.batch_get(refs)
    split = 2 * len(found.group_ids)
    memberships = [one for one in read[:split] if isinstance(one, GroupMembership)]
    groups = [one for one in read[:split] if isinstance(one, FriendGroup)]
    standing = standing_of(found, me, memberships, groups)
    if standing is None:
        raise no_such(Hangout)
    return HangoutAccess(found, standing, memberships, groups, read[split:])


class GroupAccess(Struct, frozen=True):
    """A group of which a person is a member."""

    group: FriendGroup
    membership: GroupMembership
    also: Sequence[Any] = ()
    """What else was read with these, in the order asked for; None for what is not there."""

    @property
    def is_admin(self) -> bool:
        """Whether they are an admin of it."""
        return self.membership.role == "ADMIN"

    @property
    def still_member(self) -> Write:
        """That they still are."""
        return check(self.membership, if_=stored)

    @property
    def still_admin(self) -> Write:
        """That they still are an admin."""
        return check(self.membership, if_=equal(role="ADMIN"))

    def still_may(self, maker: str, refusal: str) -> Write:
        """That they still may end what a person made: its maker and admins; refused to others."""
        if self.is_admin:
            return self.still_admin
        if self.membership.user_id != maker:
            raise Forbidden(refusal)
        return self.still_member

    def for_admin(self) -> GroupAccess:
        """Returns it if the caller is an admin; refuses otherwise."""
        if not self.is_admin:
            raise Forbidden("Only admins of the group can do this.")
        return self


async def open_group(ctx: Context, group_id: str, *, also: Sequence[Ref[Any]] = ()) -> GroupAccess:
    """Returns a group of which the caller is a member: one request; `also` is read with it."""
    if not is_id(group_id):
        raise no_such(FriendGroup)
    refs: list[Ref[Entity]] = [
        FriendGroup.at(group_id=group_id),
        GroupMembership.at(group_id=group_id, user_id=ctx.person.user_id),
        *also,
    ]
    group, membership, *others = await ctx.store.batch_get(refs)
    if not isinstance(group, FriendGroup) or not isinstance(membership, GroupMembership):
        raise no_such(FriendGroup)
    return GroupAccess(group, membership, others)


async def open_in_group(ctx: Context, ref: Ref[E]) -> tuple[GroupAccess, E]:
    """Returns something of a group of which the caller is a member: one request."""
    access = await open_group(ctx, ref.fields["group_id"], also=[ref])
    if access.also[0] is None:
        raise no_such(ref.entity)
    return access, access.also[0]


def ref_of(entity: type[E], **ids: str) -> Ref[E]:
    """Returns where a thing is stored; refused where what a form sent cannot be its ids."""
    if not all(map(is_id, ids.values())):
        raise no_such(entity)
    return entity.at(**ids)


def no_such(entity: type[Entity]) -> NotFound:
    """Returns the refusal for what is not there, or not for the caller."""
    return NotFound(NO_SUCH[entity])
