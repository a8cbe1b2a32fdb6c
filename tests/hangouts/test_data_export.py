"""Whoever takes their data along finds all that is theirs, and nothing of others."""

from __future__ import annotations

import json
from functools import partial

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.data_export import export_person
from commonroom.hangouts.service.attachments import attach
from commonroom.hangouts.service.guests import set_guest_link
from commonroom.hangouts.service.ideas import add_idea, add_list
from commonroom.hangouts.service.places import add_own_place
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.tables import FriendGroup
from commonroom.joins.attachments import Claim
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.friends import hangout_of, somebody


async def test_the_export_holds_everything_of_a_person_and_nothing_of_others(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
    own = await hangout_of(store, clock, ada, friends, title="Karaoke")
    theirs = await hangout_of(store, clock, ben, friends, description="Secret plan")
    await set_guest_link(adas, own.hangout_id, is_open=True)
    await answer(adas, ada, theirs.hangout_id, TypedRsvp(status="GOING", note="Allergic to nuts"))
    await answer(bens, ben, own.hangout_id, TypedRsvp(status="GOING", note="Late"))
    await say(adas, ada, own.hangout_id, "Bring songs")
    await say(bens, ben, own.hangout_id, "Never")
    await add_own_place(adas, {"name": "My flat"}, is_home=True)
    made = await add_list(adas, friends.group_id, {"name": "Food"})
    await add_idea(adas, friends.group_id, made.list_id, {"name": "Pizza"})
    for who, thing_id in ((adas, "the-matrix"), (bens, "some-other")):
        await attach(who, own.hangout_id, "film", partial(_claim, thing_id))
    found = await export_person(store, ada)
    text = json.dumps(found)
    for word in (
        "the-matrix",
        "Friends",
        "Karaoke",
        "Allergic to nuts",
        "Bring songs",
        "My flat",
        "Pizza",
    ):
        assert word in text
    for word in ("some-other", "Secret plan", "Late", "Never", ben.user_id, "guestLink"):
        assert word not in text
    assert found["places"][0]["isHome"]


async def _claim(thing_id: str) -> Claim:
    return Claim(thing_id, [])


async def test_whoever_has_nothing_here_gets_nothing(store: Store, clock: Watch) -> None:
    cleo = await somebody(store, clock, "Cleo")
    assert not any((await export_person(store, cleo)).values())
