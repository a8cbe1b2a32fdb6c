"""How many store requests home takes: each room what it states, and none more where much is up."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.house.rooms import ROOMS
from commonroom.store import counting
from tests.accounts.api.calling import someone
from tests.house.whole import Whole, whole
from tests.together.evenings import live_together, open_vote, watch_film
from tests.together.plenty import fill_shelves, follow_lists

OF_THE_HOUSE = 2
"""What all rooms want to see, and the newest notification."""
OF_ROOMS = {"movienight": 2, "library": 2, "shareables": 0, "watchlists": 1, "hangouts": 3}
"""What each states, at the most."""
TO_RECOGNISE = 2
MAX_REQUESTS = 12


async def requests_of_home(house: Whole) -> int:
    """How many requests Ada's home takes, once it is known who asks."""
    ada = await house.browser()
    for _ in range(2):
        assert (await ada.get("/")).status_code == 200
    with counting() as tally:
        answer = await ada.get("/")
    assert "could not be read" not in answer.text
    return tally.requests


async def furnish(house: Whole, *, things: int, evenings: int, children: int) -> None:
    """A household with a past and an open vote, loans both ways, and lists that Ada follows."""
    store, ada = house.store, house.ada
    ben = await someone(store, "Ben")
    await live_together(store, ada, children=children)
    for _ in range(evenings):
        await watch_film(store, ada)
    await open_vote(store, ada)
    await fill_shelves(store, ada, ben, things)
    await fill_shelves(store, ben, ada, things)
    await follow_lists(store, ada, things)


@pytest.mark.parametrize("key", [room.key for room in ROOMS])
async def test_a_room_takes_as_many_as_it_states(tmp_path: Path, key: str) -> None:
    async with whole(tmp_path, rooms=key) as house:
        await furnish(house, things=1, evenings=1, children=1)
        assert await requests_of_home(house) <= OF_THE_HOUSE + OF_ROOMS[key]


async def test_all_together_take_twelve_at_the_most() -> None:
    assert TO_RECOGNISE + OF_THE_HOUSE + sum(OF_ROOMS.values()) <= MAX_REQUESTS


async def test_it_takes_the_same_number_with_one_thing_and_with_five_hundred(
    tmp_path: Path,
) -> None:
    counts = []
    for things, evenings, children in ((1, 1, 1), (500, 6, 7)):
        folder = tmp_path / str(things)
        folder.mkdir()
        async with whole(folder) as house:
            await furnish(house, things=things, evenings=evenings, children=children)
            counts.append(await requests_of_home(house))
    assert counts[0] == counts[1] <= MAX_REQUESTS - TO_RECOGNISE


async def test_a_child_takes_no_more(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        await add_managed(Context(house.store, house.ada, time.time()), display_name="Zoe")
        assert await requests_of_home(house) <= MAX_REQUESTS - TO_RECOGNISE
