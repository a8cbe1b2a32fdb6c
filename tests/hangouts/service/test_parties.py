"""A watch party: one title for each date, moved on where one is skipped, over behind the last."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.hangouts import bring_back, cancel, delete_hangout
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.series import change_following
from commonroom.hangouts.service.series_edits import advance
from commonroom.hangouts.tables import FriendGroup, Hangout, Repetition, hangouts_of_series
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    check_hangouts,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
    tidied,
)

FILMS = ["Alien", "Heat", "Dark", "Jaws"]


class Party:
    """A film club that meets every week."""

    def __init__(self, store: Store, clock: Watch, maker: User, first: Hangout) -> None:
        self.store, self.clock, self.maker, self.first = store, clock, maker, first

    def ctx(self, who: User | None = None) -> Context:
        return Context(self.store, who or self.maker, self.clock())

    async def dates(self) -> list[Hangout]:
        """All of them, as they are now, the earliest first."""
        asked = hangouts_of_series(series_id=self.first.series_id or "")
        rows = [one async for one in self.store.all(asked)]
        read = await self.store.batch_get([Hangout.at(hangout_id=one.hangout_id) for one in rows])
        found = [one for one in read if one is not None]
        await check_hangouts(self.store.engine)
        return sorted(found, key=lambda one: one.occurrence or "")

    async def titles(self) -> list[str]:
        """What each date is about; a dash where it is skipped."""
        for _ in range(4):  # a timer that has more to do waits for a moment
            await tidied(self.store, self.clock)
            self.clock.forward(2)
        return [
            "-" if one.cancelled_at else one.title.removeprefix("Club: ")
            for one in await self.dates()
        ]


def weekly(clock: Watch) -> dict[str, Any]:
    """A film club from tomorrow on."""
    return {
        "title": "Club",
        "time": starts_in(clock, DAY),
        "repetition": Repetition(frequency="WEEKLY"),
        "parts": FILMS,
    }


@pytest.fixture
async def party(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Party:
    """Ada's film club."""
    first = await hangout_of(store, clock, ada, friends, **weekly(clock))
    return Party(store, clock, ada, first)


async def test_every_date_has_a_title_and_the_last_title_ends_it(party: Party) -> None:
    assert party.first.title == "Club: Alien"
    assert await party.titles() == FILMS
    party.clock.forward(10 * 7 * DAY)
    assert await party.titles() == FILMS, "nothing comes behind the last"


async def test_skipping_moves_the_titles_on_and_bringing_back_moves_them_again(
    party: Party,
) -> None:
    await party.titles()
    second = (await party.dates())[1]
    await cancel(party.ctx(), second.hangout_id)
    assert await party.titles() == ["Alien", "-", "Heat", "Dark", "Jaws"]
    for _ in range(2):
        await advance(party.store, party.clock(), party.first.series_id or "")
    assert await party.titles() == ["Alien", "-", "Heat", "Dark", "Jaws"], "once is enough"
    await bring_back(party.ctx(), second.hangout_id)
    assert await party.titles() == FILMS, "what was made for the last goes, nobody had answered"


async def test_a_date_that_is_deleted_moves_them_on_as_well(party: Party) -> None:
    await party.titles()
    await delete_hangout(party.ctx(), (await party.dates())[2].hangout_id)
    assert await party.titles() == FILMS
    assert len(await party.dates()) == 4


async def test_what_is_over_keeps_its_title(party: Party) -> None:
    await party.titles()
    party.clock.forward(8 * DAY)
    first, second, third, _ = await party.dates()
    await cancel(party.ctx(), third.hangout_id)
    assert await party.titles() == ["Alien", "Heat", "-", "Dark", "Jaws"]
    assert (await now_of(party.store, first)).version == first.version
    assert (await now_of(party.store, second)).version == second.version


async def test_what_somebody_called_otherwise_stays(party: Party) -> None:
    await party.titles()
    third = (await party.dates())[2]
    named = {"title": "Double feature"}
    await change_hangout(party.ctx(), third.hangout_id, named, version=third.version)
    await cancel(party.ctx(), (await party.dates())[1].hangout_id)
    assert await party.titles() == ["Alien", "-", "Double feature", "Dark", "Jaws"]
    assert [one.part for one in await party.dates()] == [0, 1, 1, 2, 3]


async def test_a_change_of_all_following_leaves_the_titles_alone(party: Party) -> None:
    await party.titles()
    second = (await party.dates())[1]
    change = {"title": "Club: Heat at Ada’s", "description": "Bring snacks"}
    await change_following(party.ctx(), second.hangout_id, change, version=second.version)
    assert await party.titles() == ["Alien", "Heat at Ada’s", "Dark", "Jaws"]
    said = [one.description for one in await party.dates()]
    assert said == [None, *["Bring snacks"] * 3]


async def test_a_date_too_many_is_cancelled_where_somebody_has_answered(
    party: Party, ben: User
) -> None:
    await party.titles()
    second = (await party.dates())[1]
    await cancel(party.ctx(), second.hangout_id)
    await party.titles()
    last = (await party.dates())[-1]
    await answer(party.ctx(ben), ben, last.hangout_id, TypedRsvp(status="GOING"))
    await bring_back(party.ctx(), second.hangout_id)
    assert await party.titles() == [*FILMS, "-"]


async def test_a_party_needs_dates_and_titles(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    for wrong in (
        {"parts": FILMS},
        {"parts": FILMS, "repetition": Repetition(frequency="WEEKLY")},
        {
            "parts": ["Alien"],
            "time": starts_in(clock, DAY),
            "repetition": Repetition(frequency="WEEKLY"),
        },
    ):
        with pytest.raises(InvalidField):
            await hangout_of(store, clock, ada, friends, **wrong)


async def test_titles_move_on_in_dynamodb_as_well(dynamodb: Store, clock: Watch) -> None:
    ada = await somebody(dynamodb, clock, "Ada")
    group = await group_of(dynamodb, clock, ada)
    first = await hangout_of(dynamodb, clock, ada, group, **weekly(clock))
    party = Party(dynamodb, clock, ada, first)
    assert await party.titles() == FILMS
    await cancel(party.ctx(), (await party.dates())[0].hangout_id)
    assert await party.titles() == ["-", *FILMS]
