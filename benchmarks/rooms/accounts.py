"""What the house itself shows: one of the people whom somebody manages."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.rooms.declare import SMALL, Address, BareFile, Handler, House, RoomViews, View
from commonroom.accounts.api.views import ManagedMemberView
from commonroom.accounts.tables import User, users
from commonroom.store import create

AT = "2026-05-31T18:00:00.000Z"
PARENT = User(
    user_id="11111111-2222-4333-8444-555555555555",
    display_name="Ada",
    email="ada@example.org",
    created_at=AT,
)
KIM = User(
    user_id=f"managed_{7:032x}",
    display_name="Kim",
    avatar_key="owl",
    is_managed=True,
    parent_user_id=PARENT.user_id,
    content_rating_ceiling="PG",
    created_at=AT,
    updated_at=AT,
)


async def furnish(house: House) -> Mapping[str, Address]:
    """A parent and a child."""
    await house.store.write(create(PARENT), create(KIM))
    return {"member": Address(f"/api/v1/me/members/{KIM.user_id}", await house.cookie(PARENT))}


def bare_member(file: BareFile) -> Handler:
    """A member for anybody who knows its id."""
    member = file.get(users, ManagedMemberView)
    return lambda path: member(path.rpartition("/")[2])


ACCOUNTS = RoomViews(
    room="accounts",
    furnish=furnish,
    views=(
        View(
            key="member",
            busy_at_least=SMALL,
            name="one signed-in thing",
            sentence="A parent who is signed in reads one child’s profile: one read by key.",
            bare=bare_member,
        ),
    ),
)
