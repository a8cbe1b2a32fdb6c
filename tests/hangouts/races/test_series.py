"""Several processes at one series make and change each of its hangouts once."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.series import change_following
from commonroom.hangouts.service.series_edits import advance
from commonroom.hangouts.tables import FriendGroup, Hangout, Repetition, Series
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, check_hangouts, everything_of, hangout_of, starts_in

WEEKLY = Repetition(frequency="WEEKLY", times=9)


async def gone_on_with(store: Store, clock: Watch, series_id: str, at_once: int = 3) -> None:
    """Lets several go on with a series at once until none has anything to do."""
    for _ in range(20):
        work = (advance(store, clock(), series_id) for _ in range(at_once))
        again = await asyncio.gather(*work)
        clock.forward(timedelta(seconds=1).total_seconds())
        if not any(moment is not None and moment <= clock() for moment in again):
            return
    raise AssertionError("they never end")


async def test_each_is_made_once_and_changed_once_while_people_answer(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    first = await hangout_of(
        store, clock, ada, friends, title="Games", time=starts_in(clock, DAY), repetition=WEEKLY
    )
    (series,) = await everything_of(store.engine, Series)
    await gone_on_with(store, clock, series.series_id)
    made = await everything_of(store.engine, Hangout)
    assert len(made) == 9
    edits = await asyncio.gather(
        *(
            change_following(Context(store, who, clock()), first.hangout_id, title, version=1)
            for who, title in ((ada, {"title": "Chess"}), (ben, {"title": "Go"}))
        ),
        return_exceptions=True,
    )
    assert [isinstance(one, Conflict) for one in edits].count(True) == 1
    theirs = Context(store, ben, clock())
    await asyncio.gather(
        gone_on_with(store, clock, series.series_id),
        *(answer(theirs, ben, one.hangout_id, TypedRsvp(status="GOING")) for one in made),
    )
    await gone_on_with(store, clock, series.series_id)
    changed = await everything_of(store.engine, Hangout)
    assert len({one.title for one in changed} - {"Games"}) == len({one.title for one in changed})
    assert {one.version for one in changed} == {2}
    assert {one.going_count for one in changed} == {1}
    await check_hangouts(store.engine)
