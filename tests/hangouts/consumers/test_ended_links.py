"""Whoever made a link hears that somebody else ended it: once, and only while it concerns them."""

from __future__ import annotations

import os
import time

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.notifications import GROUP_LINK_ENDED, GUEST_LINK_ENDED
from commonroom.hangouts.service.guests import (
    GuestLinks,
    GuestLinkVisitor,
    TypedGuestRsvp,
    answer_as_guest,
    change_for,
    set_guest_link,
)
from commonroom.hangouts.service.invite_codes import create_code, revoke_code
from commonroom.hangouts.service.members import remove_member, set_role
from commonroom.hangouts.tables import FriendGroup
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.friends import group_of, hangout_of, tidied

ENDED = {GROUP_LINK_ENDED.name: GROUP_LINK_ENDED, GUEST_LINK_ENDED.name: GUEST_LINK_ENDED}


@pytest.fixture
def store(either: Store, clock: Watch) -> Store:
    """Both engines; changes have the moment of the engine."""
    clock.now = time.time()
    return either


async def touched(store: Store, clock: Watch, person: User) -> list[str]:
    """What somebody was told of links that ended."""
    clock.forward(1)
    await tidied(store, clock)
    kept = [one async for one in store.all(kept_for_person(user_id=person.user_id))]
    told = [one for one in kept if isinstance(one, Notification) and one.kind in ENDED]
    return [ENDED[one.kind].words(one.facts).title for one in told]


async def test_a_member_hears_that_a_removal_ended_their_links(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    group = await group_of(store, clock, ada, ben, eve)
    for one in (ada, ben, ben, eve):
        await create_code(Context(store, one, clock()), group.group_id)
    assert await remove_member(Context(store, ada, clock()), group.group_id, eve.user_id)
    assert await touched(store, clock, ben) == ["Your invite link for Friends is turned off"]
    assert await touched(store, clock, ada) == []
    assert await touched(store, clock, eve) == []


async def test_a_member_hears_that_an_admin_turned_their_link_off(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    code = await create_code(Context(store, ben, clock()), friends.group_id)
    own = await create_code(Context(store, ben, clock()), friends.group_id)
    await revoke_code(Context(store, ben, clock()), friends.group_id, own.code)
    assert await touched(store, clock, ben) == []
    await revoke_code(Context(store, ada, clock()), friends.group_id, code.code)
    assert await touched(store, clock, ben) == ["Your invite link for Friends is turned off"]


async def test_whoever_opened_a_hangout_to_guests_hears_that_its_link_ended(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    await set_role(Context(store, ada, clock()), friends.group_id, ben.user_id, "ADMIN")
    made = await hangout_of(store, clock, ada, friends, is_on=True)
    opened = await set_guest_link(Context(store, ben, clock()), made.hangout_id, is_open=True)
    links = GuestLinks(os.urandom(32))
    visitor = GuestLinkVisitor(
        store, links, clock(), links.token(opened) or "", address="203.0.113.5"
    )
    given = await answer_as_guest(visitor, TypedGuestRsvp(name="Jo", status="GOING"))
    ctx = Context(store, ada, clock())
    await change_for(ctx, made.hangout_id, given.rsvp.guest_id, None)
    assert await touched(store, clock, ben) == ["The guest link is turned off: Karaoke?"]
    assert await touched(store, clock, ada) == []
