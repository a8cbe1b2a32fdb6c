"""Hangouts on home: what waits is answered in one tap, and the next seven days."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient, Response

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.service.members import leave_group
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import FriendGroup, Hangout, Rsvp
from commonroom.http.authentication import ACTING_COOKIE
from commonroom.joins.home import card_key
from commonroom.store.store import counting
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    PUB,
    child_of,
    group_of,
    hangout_of,
    somebody,
    starts_in,
    tidied,
)
from tests.hangouts.voting import Voting
from tests.house.whole import Whole, whole
from tests.support.pages import text

IN_PLACE = {"hx-request": "true"}


class Friends:
    """Ben plans for Ada, who looks at her home."""

    ben: User
    group: FriendGroup
    browser: AsyncClient

    def __init__(self, house: Whole) -> None:
        self.house, self.store, self.ada = house, house.store, house.ada
        self.clock = Watch()
        self.clock.now = time.time()

    async def meet(self) -> None:
        """They are friends."""
        self.browser = await self.house.browser()
        self.ben = await somebody(self.store, self.clock, "Ben")
        self.group = await group_of(self.store, self.clock, self.ben, self.ada)

    async def plan(self, title: str, days: float | None = None, **given: Any) -> Hangout:
        """A hangout of Ben's, in so many days."""
        day = None if days is None else starts_in(self.clock, days * DAY)
        made = await hangout_of(
            self.store, self.clock, self.ben, self.group, title=title, time=day, **given
        )
        await self.follow()
        return made

    async def follow(self) -> None:
        """Lets everybody who follows changes do so; these have the machine's own time."""
        self.clock.now = time.time()
        await tidied(self.store, self.clock)

    async def part(self, name: str) -> str:
        """What Ada reads in a part of her home."""
        page = await self.browser.get("/")
        assert page.status_code == 200
        part = page.text.partition(f'id="{name}"')[2].partition("</section>")[0]
        return text(type("Part", (), {"text": f"<p {part}"})())

    async def says(self, made: Hangout, status: str, **headers: str) -> Response:
        """Ada's answer on a card of her home."""
        return await self.taps(made, "answer", headers, status=status)

    async def taps(
        self, made: Hangout, deed: str, headers: dict[str, str], **sent: str
    ) -> Response:
        """Something that Ada does on a card of her home."""
        data = {**sent, "home": card_key("hangout", made.hangout_id)}
        at = f"/hangouts/{made.hangout_id}/{deed}"
        return await self.browser.post(at, data=data, headers=headers)

    async def answer_of(self, made: Hangout, who: User | None = None) -> Rsvp | None:
        user_id = (who or self.ada).user_id
        return await self.store.get(Rsvp.at(hangout_id=made.hangout_id, user_id=user_id))


@pytest.fixture
async def friends(tmp_path: Path) -> AsyncIterator[Friends]:
    """Ada and Ben."""
    async with whole(tmp_path) as house:
        friends = Friends(house)
        await friends.meet()
        yield friends


class TestNeeds:
    async def test_an_invitation_says_when_where_and_from_whom(self, friends: Friends) -> None:
        await friends.plan("Concert", 30, place=PUB)
        needs = await friends.part("needs")
        assert "Concert" in needs
        assert "The pub · from Ben" in needs
        for label in ("Going", "Interested", "Can’t go"):
            assert label in needs

    async def test_an_idea_asks_whether_one_would(self, friends: Friends) -> None:
        await friends.plan("Sauna")
        needs = await friends.part("needs")
        assert "No day yet · from Ben" in needs
        assert "Interested" in needs
        assert "Not for me" in needs
        assert "Can’t go" not in needs

    async def test_a_poll_leads_to_its_place(self, friends: Friends) -> None:
        made = await friends.plan("Sauna")
        poll = await Voting(friends.store, friends.clock, made).days(friends.ben)
        await friends.follow()
        assert "When shall we meet?" in await friends.part("needs")
        page = await friends.browser.get("/")
        assert f'href="/hangouts/{made.hangout_id}#poll-{poll.poll_id}"' in page.text

    async def test_a_place_from_the_waiting_list_is_taken_or_given_back(
        self, friends: Friends
    ) -> None:
        made = await friends.plan("Dinner", 2, place_limit=1, is_on=True)
        await friends.says(made, "GOING")
        await friends.follow()
        assert "Waiting list" in await friends.part("coming")
        ctx = Context(friends.store, friends.ben, friends.clock())
        await answer(ctx, friends.ben, made.hangout_id, TypedRsvp(status="NOT_GOING"))
        await friends.follow()
        assert "You’ve got a place" in await friends.part("needs")
        said = await friends.says(made, "GOING", **IN_PLACE)
        assert "Undo" not in text(said), "it would take back that she waited"
        assert "Dinner" not in await friends.part("needs")
        assert "Going" in await friends.part("coming")


class TestAnswers:
    async def test_one_tap_answers_and_leads_back_home(self, friends: Friends) -> None:
        made = await friends.plan("Concert", 3)
        said = await friends.says(made, "GOING")
        assert (said.status_code, said.headers["location"]) == (303, "/")
        assert "Concert" not in await friends.part("needs"), "also before anybody followed it"
        await friends.follow()
        assert re.search("Concert.*Going", await friends.part("coming"))

    async def test_with_scripts_the_card_stays_where_it_is_and_can_be_undone(
        self, friends: Friends
    ) -> None:
        made = await friends.plan("Concert", 3)
        said = await friends.says(made, "INTERESTED", **IN_PLACE)
        key = card_key("hangout", made.hangout_id)
        assert f'id="{key}" data-stays' in said.text
        assert "Answer saved." in text(said)
        assert "Undo" in text(said)
        undone = await friends.taps(made, "withdraw", IN_PLACE)
        assert "Answer withdrawn." in text(undone)
        assert await friends.answer_of(made) is None
        assert "Concert" in await friends.part("needs")

    async def test_it_is_the_childs_answer_where_one_acts_for_a_child(
        self, friends: Friends
    ) -> None:
        made = await friends.plan("Zoo", 3)
        kim = await child_of(friends.store, friends.clock, friends.ada, "Kim")
        friends.browser.cookies.set(ACTING_COOKIE, kim.user_id, domain="commonroom.test")
        assert "Zoo" in await friends.part("needs")
        await friends.says(made, "GOING")
        assert await friends.answer_of(made) is None
        assert await friends.answer_of(made, kim) is not None
        assert re.search("Zoo.*Going", await friends.part("coming"))

    async def test_a_hangout_that_was_cancelled_meanwhile_takes_no_answer(
        self, friends: Friends
    ) -> None:
        made = await friends.plan("Concert", 3)
        await cancel(Context(friends.store, friends.ben, friends.clock()), made.hangout_id)
        said = await friends.says(made, "GOING")
        assert said.status_code == 409
        assert "This hangout is cancelled." in text(said)
        assert "Concert" not in text(await friends.browser.get("/"))


async def test_whoever_left_the_group_reads_nothing_of_it(friends: Friends) -> None:
    made = await friends.plan("Secret", 3)
    await friends.says(made, "GOING")
    await friends.follow()
    assert "Secret" in text(await friends.browser.get("/"))
    await leave_group(Context(friends.store, friends.ada, friends.clock()), friends.group.group_id)
    assert "Secret" not in text(await friends.browser.get("/"))


async def test_home_knows_no_hangouts_where_the_room_is_closed(tmp_path: Path) -> None:
    async with whole(tmp_path, rooms="movienight") as house:
        friends = Friends(house)
        await friends.meet()
        await friends.plan("Concert", 3)
        assert "Concert" not in text(await friends.browser.get("/"))


async def test_home_takes_no_more_requests_with_ten_groups_and_fifty_hangouts(
    friends: Friends,
) -> None:
    counts = []
    for groups, number in ((0, 1), (9, 50)):
        for one in range(groups):
            name = f"Group {one}"
            await group_of(friends.store, friends.clock, friends.ben, friends.ada, name=name)
        for one in range(number):
            made = await friends.plan(f"Plan {one}", one or None)
            await Voting(friends.store, friends.clock, made).question(friends.ben, "A", "B")
        await friends.follow()
        await friends.browser.get("/")
        with counting() as tally:
            await friends.browser.get("/")
        counts.append(tally.requests)
    assert counts[0] == counts[1] <= 10


async def test_an_open_home_notices_that_its_agenda_has_changed(friends: Friends) -> None:
    def version(page: Response) -> str:
        return page.text.partition('version="')[2].partition('"')[0]

    before = version(await friends.browser.get("/"))
    await friends.plan("Concert", 3)
    assert version(await friends.browser.get("/")) != before
