"""Households: each names and counts its members and wishes, has a creator, and one open round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from commonroom.movienight.rules.households import RosterMember, listed_members, longest_standing
from commonroom.movienight.rules.rounds import OPEN, status_of
from commonroom.movienight.service.members import list_members
from commonroom.movienight.tables import Household, Round, wishes_of_group
from commonroom.store import Store, Write, as_read, check, delete, new, update
from commonroom.store.checking import Problem
from commonroom.store.checking.snapshots import SnapshotCheck


class HouseholdSnapshot(Struct, frozen=True):
    """What is stored of a household."""

    members: Sequence[RosterMember]
    wishes: int
    open_round: Round | None
    """The round that it names as open."""


async def _take_snapshot(store: Store, group: Household) -> HouseholdSnapshot:
    wished = [one async for one in store.all(wishes_of_group(group_id=group.group_id))]
    named = group.open_round_id
    return HouseholdSnapshot(
        await list_members(store, group.group_id),
        len(wished),
        None if named is None else await store.get(Round.at(round_id=named)),
    )


def _find_problems(group: Household, snapshot: HouseholdSnapshot) -> Iterator[Problem]:
    if not snapshot.members:
        gone = delete(group, if_=as_read(group, "version", "member_count"))
        yield Problem.of("households", group, "Nobody is in it.", gone)
        return
    yield from _check_members(group, [one.user_id for one in snapshot.members])
    yield from _check_creator(group, snapshot.members)
    if group.wish_count != snapshot.wishes:
        held = as_read(group, "wish_count")
        detail = f"Its wish_count is {group.wish_count}, not {snapshot.wishes}."
        yield Problem.of(
            "wishes", group, detail, update(group.ref, wish_count=snapshot.wishes, if_=held)
        )
    yield from _check_open_round(group, snapshot.open_round)


def _check_members(group: Household, ids: list[str]) -> Iterator[Problem]:
    """It counts all of them, and names these unless an earlier version made it."""
    listed = listed_members(group)
    if group.member_count == len(ids) and (listed is None or set(listed) == set(ids)):
        return
    detail = (
        f"It counts {group.member_count} members and names {len(group.member_ids)}, but it has "
        f"{len(ids)}, or others."
    )
    held = as_read(group, "member_count", "member_ids")
    repair = update(group.ref, member_count=len(ids), member_ids=ids, if_=held)
    yield Problem.of("members", group, detail, repair)


def _check_creator(group: Household, members: Sequence[RosterMember]) -> Iterator[Problem]:
    """A member with a login is the creator, and has the role; `created_by` counts before it."""
    known = [one for one in members if one.user is not None]
    able = [one for one in known if one.user is not None and not one.user.is_managed]
    if not able:
        yield Problem.of("creators", group, "Nobody with a login is in it.")
        return
    named = (one for one in able if one.user_id == group.created_by)
    creator = next(named, None) or _heir(able)
    roles = [one for one in known if one.membership.role != _role(one, creator)]
    if creator.user_id == group.created_by and not roles:
        return
    writes: list[Write] = [
        update(group.ref, created_by=creator.user_id, if_=as_read(group, "created_by")),
        *(
            update(one.membership, role=_role(one, creator), if_=as_read(one.membership, "role"))
            for one in roles
        ),
    ]
    detail = (
        "Its members have other roles than it says."
        if creator.user_id == group.created_by
        else "Its creator is not in it, or has no login."
    )
    yield Problem.of("creators", group, detail, *writes)


def _heir(able: Sequence[RosterMember]) -> RosterMember:
    """Who has the role, or else was there first: as where the creator leaves."""
    with_role = [one for one in able if one.membership.role == "creator"]
    return min(with_role or able, key=longest_standing)


def _role(one: RosterMember, creator: RosterMember) -> str:
    return "creator" if one.user_id == creator.user_id else "member"


def _check_open_round(group: Household, named: Round | None) -> Iterator[Problem]:
    if group.open_round_id is None:
        return
    if named is None:
        held = check(Round.at(round_id=group.open_round_id), if_=new)
    elif named.group_id == group.group_id and status_of(named) in OPEN:
        return
    else:
        held = check(named, if_=as_read(named, "status", "group_id"))
    repair = update(group.ref, open_round_id=None, if_=as_read(group, "open_round_id"))
    yield Problem.of("open rounds", group, "The round that it names is not open.", held, repair)


HOUSEHOLDS = SnapshotCheck(Household, _take_snapshot, _find_problems)
