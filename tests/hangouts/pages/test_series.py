"""What repeats, in a browser without any script."""

from __future__ import annotations

import re
import time

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.tables import FriendGroup, Hangout, Repetition
from commonroom.store import Store
from tests.accounts.api.calling import Calling, Client
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, everything_of, hangout_of, starts_in, tidied
from tests.hangouts.pages.browsing import refused, sent, shown


@pytest.fixture
async def adas(calling: Calling, ada: User) -> Client:
    """Ada's browser."""
    return await calling.browser(ada)


async def worked(store: Store, clock: Watch) -> None:
    """Lets some seconds pass, from now: requests have the machine's own time."""
    for _ in range(6):
        clock.now = max(clock(), time.time()) + 1.5
        await tidied(store, clock)


async def test_a_series_from_its_form_to_its_end(
    store: Store, clock: Watch, adas: Client, friends: FriendGroup
) -> None:
    day, last = (
        time.strftime("%Y-%m-%d", time.gmtime(clock() + days * DAY)) for days in (3, 3 + 63)
    )
    typed = {
        "title": "Games night", "group_ids": friends.group_id, "day_choice": "other",
        "day": day, "time": "19:00", "repeats": "WEEKLY",
        "repeats_until": last, "how": "lock",
    }  # fmt: skip
    here = await sent(adas, "/hangouts/new", **typed)
    await worked(store, clock)
    page = await shown(adas, here)
    assert "Every week" in page
    dates = await shown(adas, f"{here}/dates")
    assert len(re.findall(r'class="row"', dates)) == 10
    later = re.findall(r'href="(/hangouts/[0-9a-f-]{36})"', dates)[5]
    edit = await shown(adas, f"{later}/edit")
    assert "This and all following" in edit
    fields = {**typed, "title": "Chess night", "scope": "following", "version": "1"}
    del fields["group_ids"], fields["repeats"], fields["repeats_until"], fields["how"]
    fields["day"] = re.findall(r'name="day" type="date" value="([^"]+)"', edit)[0]
    assert await sent(adas, f"{later}/edit", **fields) == later
    await worked(store, clock)
    dates = await shown(adas, f"{here}/dates")
    assert dates.count("Chess night") == 10 - 4
    until = await refused(adas, f"{here}/repeat", 422, repeats="WEEKLY", repeats_until="2001-01-01")
    assert "The last day must be after the first." in until
    assert await sent(adas, f"{later}/repeat/stop") == later
    await worked(store, clock)
    assert len(re.findall(r'class="row"', await shown(adas, f"{here}/dates"))) == 5


async def test_one_that_is_there_begins_to_repeat(
    store: Store, clock: Watch, ada: User, adas: Client, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
    here = f"/hangouts/{made.hangout_id}"
    assert "repeat-fold" in await shown(adas, here)
    assert "Choose how often." in await refused(adas, f"{here}/repeat", 422, repeats="")
    await sent(adas, f"{here}/repeat", repeats="MONTHLY_BY_DAY")
    await worked(store, clock)
    assert "Every month, same day" in await shown(adas, here)
    assert len(await everything_of(store.engine, Hangout)) >= 12


async def test_without_a_day_it_cannot(adas: Client, friends: FriendGroup) -> None:
    page = await refused(adas, "/hangouts/new", 422, title="Games", repeats="DAILY", how="float")
    assert "Choose a day first" in page


async def test_a_list_shows_the_next_of_a_series_and_not_all_that_follow(
    store: Store, clock: Watch, ada: User, adas: Client, friends: FriendGroup
) -> None:
    when, daily = starts_in(clock, DAY), Repetition(frequency="DAILY", times=9)
    await hangout_of(store, clock, ada, friends, title="Run", time=when, repetition=daily)
    await hangout_of(store, clock, ada, friends, title="Party", time=starts_in(clock, 5 * DAY))
    await worked(store, clock)
    for page in ("/hangouts", f"/groups/{friends.group_id}"):
        text = await shown(adas, page)
        assert len(re.findall(r">Run</a>", text)) == 1
        assert text.index(">Run</a>") < text.index(">Party</a>")
        assert ">Repeats</span>" in text
    (first, *_) = sorted(
        await everything_of(store.engine, Hangout), key=lambda one: one.start_timestamp or 0
    )
    await cancel(Context(store, ada), first.hangout_id)
    assert len(re.findall(r">Run</a>", await shown(adas, "/hangouts"))) == 2
