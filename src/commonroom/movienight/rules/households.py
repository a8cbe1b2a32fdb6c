"""Decisions about households: names, services, who goes along, and who takes over."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct, structs

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.moments import iso
from commonroom.movienight.tables import Household, HouseholdMembership, Invite
from commonroom.texts import clean_line, fit_line
from commonroom.titles.streaming_services import SERVICES

MAX_MEMBERS = 8
MAX_NAME = 40
MAX_SERVICES = 20
INVITE_DAYS = 7
MAX_INVITES = 20
"""How many invites of a household work at a time."""
ENDED_INVITE_SECONDS = 24 * 3600
"""For how long an invite that has ended is shown to those who can make another."""

InviteStatus: TypeAlias = Literal["pending", "accepted", "revoked", "expired"]


def clean_household_name(text: str) -> str:
    """Returns a household's name as it is kept: trimmed, on one line, 1 to 40 characters."""
    return fit_line("name", text, MAX_NAME)


def is_same_name(typed: str, name: str) -> bool:
    """Returns whether a household's name was typed; capitals and spaces do not matter."""
    return clean_line(typed).casefold() == clean_line(name).casefold()


def clean_services(slugs: Collection[str]) -> list[str]:
    """Streaming services as they are kept: known ones, each once, in the order of their names."""
    if len(set(slugs)) > MAX_SERVICES:
        raise InvalidField("streaming_services", f"Choose at most {MAX_SERVICES} services.")
    if any(slug not in SERVICES for slug in slugs):
        raise InvalidField("streaming_services", "Choose a streaming service from the list.")
    return sorted(set(slugs))


def invite_ids(group_id: str) -> list[str]:
    """The ids that a household's invites can have: so many, and there can never be more of them."""
    names = [f"urn:household:{group_id}:invite:{number}" for number in range(MAX_INVITES)]
    return [str(uuid5(NAMESPACE_URL, name)) for name in names]


def invite_status(invite: Invite, now: float) -> InviteStatus:
    """Returns the status of an invite; `expired` by the clock, whatever is stored."""
    is_over = invite.status == "pending" and invite.expires_at <= iso(now)
    return "expired" if is_over else invite.status


def is_valid(invite: Invite, now: float) -> bool:
    """Returns whether an invite lets people in."""
    return invite_status(invite, now) == "pending"


def with_current_invite_status(invite: Invite, now: float) -> Invite:
    """Returns the invite with its status as of now, and with when it ended."""
    status = invite_status(invite, now)
    ended_at = invite.expires_at if status == "expired" else invite.ended_at
    return structs.replace(invite, status=status, ended_at=ended_at)


def is_invite_shown(invite: Invite, now: float) -> bool:
    """Whether an invite with its current status is listed: while it works, and a day longer.

    One that does not say when it ended, as in earlier versions, is listed as long as it is stored.
    """
    ended_at = invite.ended_at
    return ended_at is None or ended_at > iso(now - ENDED_INVITE_SECONDS)


class RosterMember(Struct, frozen=True):
    """A member of a household; without a user where the account has been deleted."""

    user: User | None
    membership: HouseholdMembership

    @property
    def user_id(self) -> str:
        """Who it is."""
        return self.membership.user_id

    @property
    def is_gone(self) -> bool:
        """Whether the account was deleted, so that only the membership is left to be cleared."""
        return self.user is None or self.user.household_id != self.membership.group_id


def listed_members(group: Household) -> list[str] | None:
    """Returns who is in a household, as it says itself; None where it does not name all of them."""
    return group.member_ids if len(group.member_ids) == group.member_count else None


class HouseholdRoster(Struct, frozen=True):
    """A household with everybody in it."""

    group: Household
    members: Sequence[RosterMember]


def longest_standing(member: RosterMember) -> tuple[str, str]:
    """Returns what members are sorted by: who came first, in a stable order."""
    return member.membership.joined_at, member.user_id


def looks_after(member_id: str, creator_id: str, managed: User) -> bool:
    """Returns whether a member may rename, remove and let see more: the parent, or the creator."""
    return managed.is_managed and member_id in (managed.parent_user_id, creator_id)


def may_remove(member_id: str, creator_id: str, member: User) -> bool:
    """Whether a member may take another out of the household; everybody but a child may leave."""
    return (
        member_id == creator_id
        or looks_after(member_id, creator_id, member)
        or (member_id == member.user_id and not member.is_managed)
    )


def successor(staying: Collection[RosterMember]) -> RosterMember | None:
    """Returns who becomes creator: the longest-standing independent member, never a managed one."""
    independent = [one for one in staying if one.membership.member_type == "independent"]
    return min(independent, key=longest_standing, default=None)


class Departure(Struct, frozen=True):
    """Who leaves a household and who stays; where nobody can be creator, nobody stays."""

    leaving: Sequence[RosterMember]
    staying: Sequence[RosterMember]
    creator_id: str | None


def plan_departure(household: HouseholdRoster, leaving: Collection[str]) -> Departure:
    """Returns what becomes of a household when some of its members leave.

    Their managed members leave along, and so do members who are gone already.
    """
    members = household.members
    going = {one.user_id for one in members if one.is_gone or one.user_id in leaving}
    going |= {one.user_id for one in members if one.user and one.user.parent_user_id in going}
    staying = [one for one in members if one.user_id not in going]
    creator = next((one for one in staying if one.user_id == household.group.created_by), None)
    creator = creator or successor(staying)
    if creator is None:
        return Departure(members, [], None)
    left = [one for one in members if one.user_id in going]
    return Departure(left, staying, creator.user_id)
