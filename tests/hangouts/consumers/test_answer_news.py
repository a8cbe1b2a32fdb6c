"""Whoever makes a hangout is told who answers: never of themselves, never twice."""

from __future__ import annotations

import time

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.notifications import ANSWERED
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, withdraw
from commonroom.hangouts.tables import FriendGroup, Hangout, RsvpStatus
from commonroom.notifications.groups import grouped
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.notifications.wording import words_of_group
from commonroom.store import Store, delete
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, group_of, hangout_of, tidied


@pytest.fixture
def store(either: Store, clock: Watch) -> Store:
    """Both engines; changes have the moment of the engine."""
    clock.now = time.time()
    return either


async def touched(store: Store, clock: Watch, person: User) -> list[Notification]:
    await tidied(store, clock)
    kept = [one async for one in store.all(kept_for_person(user_id=person.user_id))]
    return [one for one in kept if isinstance(one, Notification) and one.kind == ANSWERED.name]


async def titles(store: Store, clock: Watch, person: User) -> list[str]:
    return sorted(ANSWERED.words(one.facts).title for one in await touched(store, clock, person))


async def says(
    store: Store, clock: Watch, who: User, made: Hangout, status: RsvpStatus = "GOING"
) -> None:
    clock.forward(1)
    typed = TypedRsvp(status=status)
    await answer(Context(store, who, clock()), who, made.hangout_id, typed)


async def test_the_maker_hears_of_the_others_and_several_are_one_row(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    group = await group_of(store, clock, ada, ben, eve)
    made = await hangout_of(store, clock, ada, group)
    for one in (ada, ben, eve):
        await says(store, clock, one, made)
    assert await titles(store, clock, ada) == ["Ben is going: Karaoke?", "Eve is going: Karaoke?"]
    assert await titles(store, clock, ben) == []
    [row] = grouped(await touched(store, clock, ada))
    assert words_of_group({ANSWERED.name: ANSWERED}, row).title == "2 answers to Karaoke?"


async def test_another_answer_takes_the_place_of_the_first(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends)
    await says(store, clock, ben, made, "INTERESTED")
    assert await titles(store, clock, ada) == ["Ben is interested: Karaoke?"]
    await says(store, clock, ben, made, "NOT_GOING")
    assert await titles(store, clock, ada) == ["Ben can’t come: Karaoke?"]
    await withdraw(Context(store, ben, clock()), ben, made.hangout_id)
    assert await titles(store, clock, ada) == []


async def test_nobody_hears_of_what_they_said_for_their_child(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    mia = await child_of(store, clock, ada, "Mia")
    made = await hangout_of(store, clock, ada, friends)
    typed = TypedRsvp(status="GOING")
    await answer(Context(store, ada, clock()), mia, made.hangout_id, typed)
    assert await titles(store, clock, ada) == []


@pytest.mark.parametrize("how", ["leaves", "hangout deleted"])
async def test_no_name_stays_of_who_left(
    store: Store, clock: Watch, ada: User, ben: User, how: str
) -> None:
    made = await hangout_of(store, clock, ada, invited_user_ids=[ben.user_id])
    await says(store, clock, ben, made)
    assert len(await touched(store, clock, ada)) == 1
    if how == "leaves":
        await store.write(delete(ben))
    else:
        await delete_hangout(Context(store, ada, clock()), made.hangout_id)
    assert await touched(store, clock, ada) == []
