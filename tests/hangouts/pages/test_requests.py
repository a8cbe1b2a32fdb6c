"""Every page states how often it asks the store; that does not grow with what there is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.ids import time_ordered_id
from commonroom.hangouts.service.pointers import new_pointers
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import FriendGroup, Hangout, inviter
from commonroom.store import Store
from commonroom.store.store import counting
from tests.accounts.api.calling import Calling, Client
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, crowd_of, group_of, hangout_of, starts_in


@pytest.fixture
async def adas(calling: Calling, ada: User) -> Client:
    """Ada's browser."""
    return await calling.browser(ada)


async def requests_of(client: Client, path: str) -> int:
    """How many requests a page makes once it is known who asks."""
    for _ in range(2):  # after the first visit to a room it is noted that they were there
        await client.get(path)
    with counting() as counted:
        shown = await client.get(path)
    assert shown.status_code == 200
    return counted.requests


async def plenty(store: Store, clock: Watch, made: Hangout, groups: list[FriendGroup]) -> None:
    """Forty-nine more like it over these groups, at times of their own."""
    more = [
        replace(
            made,
            hangout_id=time_ordered_id(clock() + number),
            group_ids=[groups[number % len(groups)].group_id],
            start_timestamp=(made.start_timestamp or 0) + number,
        )
        for number in range(1, 50)
    ]
    items = [thing.to_item() for one in more for thing in (one, *new_pointers(one))]
    await store.engine.load(inviter, items)


async def test_pages_ask_as_often_with_fifty_hangouts_and_forty_members(
    store: Store, clock: Watch, ada: User, adas: Client
) -> None:
    counts: list[dict[str, int]] = []
    group = await group_of(store, clock, ada)
    made = await hangout_of(store, clock, ada, group, time=starts_in(clock, DAY))
    pages = {
        "home": "/hangouts",
        "feed": f"/groups/{group.group_id}",
        "one": f"/hangouts/{made.hangout_id}",
        "edit": f"/hangouts/{made.hangout_id}/edit",
        "dates": f"/hangouts/{made.hangout_id}/dates",
        "file": f"/hangouts/{made.hangout_id}/calendar.ics",
        "new": "/hangouts/new",
        "past": "/hangouts/past",
        "month": "/hangouts/month",
        "calendar": "/me/calendar",
    }
    counts.append({name: await requests_of(adas, path) for name, path in pages.items()})
    await plenty(store, clock, made, [group])
    for one in await crowd_of(store, clock, group, 39):
        going = TypedRsvp(status="GOING")
        await answer(Context(store, one, clock()), one, made.hangout_id, going)
    counts.append({name: await requests_of(adas, path) for name, path in pages.items()})
    assert counts[0] == counts[1]
    assert max(counts[0].values()) <= 12, counts[0]


@pytest.mark.parametrize("path", ["/hangouts", "/hangouts/month"])
async def test_ones_own_pages_ask_once_for_each_partition_and_at_most_five_times_besides(
    store: Store, clock: Watch, ada: User, adas: Client, path: str
) -> None:
    groups = [await group_of(store, clock, ada, name="First")]
    made = await hangout_of(store, clock, ada, groups[0], time=starts_in(clock, DAY))
    await hangout_of(store, clock, ada, groups[0], title="Some day")
    asked = {}
    for number in (2, 6, 12):
        more = range(len(groups), number)
        groups += [await group_of(store, clock, ada, name=f"G{one}") for one in more]
        await plenty(store, clock, made, groups)
        asked[number] = await requests_of(adas, path)
    besides = {number: requests - (number + 1) for number, requests in asked.items()}
    assert max(besides.values()) <= 5, asked
