"""The demonstration's pages."""

from __future__ import annotations

from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.shareables.demo import seed_demo
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.listing import pages_of
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.shareables.furniture import everything_of
from tests.shareables.voting import check_count


async def test_there_are_a_list_a_birthday_and_a_poll_that_people_use(
    store: Store, clock: Watch
) -> None:
    maya = User(user_id="maya", display_name="Maya", created_at=iso(clock()))
    await seed_demo(store, clock(), DemoPeople(maya, maya, [], []))

    listed = (await pages_of(store, clock(), "maya")).items
    assert sorted(one.kind or "" for one in listed) == ["checklist", "event", "poll"]
    (shopping,) = await everything_of(store.engine, Checklist)
    assert len(await ticks_of(store, shopping)) == 2
    (birthday,) = await everything_of(store.engine, Event)
    assert (birthday.rsvp_count, birthday.going_count, birthday.guest_count) == (4, 2, 1)
    (summer,) = await everything_of(store.engine, Poll)
    assert (await check_count(store, summer.short_id)).vote_count == 5
