"""Whoever is in a group of a hangout, was invited or made it sees it, and nobody else."""

from __future__ import annotations

import pytest

from commonroom.hangouts.rules.access import Standing, standing_of
from commonroom.hangouts.tables import FriendGroup, GroupMembership, Hangout, Role, Visibility

NOW = "2026-01-15T10:30:00.000Z"


def hangout(visibility: Visibility = "INVITE_ONLY") -> Hangout:
    return Hangout(
        hangout_id="h",
        title="Picnic",
        created_by="ada",
        created_at=NOW,
        updated_at=NOW,
        group_ids=["g", "k"],
        invited_user_ids=["ada", "eve"],
        visibility=visibility,
    )


def group(group_id: str = "g", *, is_public: bool = False) -> FriendGroup:
    return FriendGroup(
        group_id=group_id,
        group_name="Friends",
        created_by="ada",
        created_at=NOW,
        updated_at=NOW,
        is_public=is_public,
    )


def member(user_id: str, group_id: str = "g", role: Role = "MEMBER") -> GroupMembership:
    return GroupMembership(
        group_id=group_id, user_id=user_id, group_name="Friends", role=role, joined_at=NOW
    )


def test_a_stranger_is_nothing_to_it() -> None:
    assert standing_of(hangout(), "tom", [], [group(is_public=True)]) is None
    assert standing_of(hangout("PUBLIC"), "tom", [], [group()]) is None


def test_a_member_of_another_group_is_a_stranger() -> None:
    assert standing_of(hangout(), "tom", [member("tom", "x")], [group()]) is None


def test_a_public_one_of_a_public_group_is_seen_by_anybody_and_changed_by_nobody() -> None:
    found = standing_of(hangout("PUBLIC"), "tom", [], [group(), group("k", is_public=True)])
    assert found == Standing()
    assert not found.may_edit
    assert not found.may_manage


@pytest.mark.parametrize(
    "user, role, may_edit, may_manage",
    [
        ("tom", "MEMBER", True, False),
        ("tom", "ADMIN", True, True),
        ("eve", None, False, False),
        ("ada", None, True, True),
    ],
)
def test_who_may_what(user: str, role: Role | None, may_edit: bool, may_manage: bool) -> None:
    theirs = [] if role is None else [member(user, "k", role)]
    found = standing_of(hangout(), user, theirs, [group()])
    assert found is not None
    assert (found.may_edit, found.may_manage) == (may_edit, may_manage)
