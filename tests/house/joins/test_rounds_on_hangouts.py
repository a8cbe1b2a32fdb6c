"""A hangout carries its household's round; friends outside the household learn nothing of it."""

from __future__ import annotations

from datetime import date

import pytest

from commonroom.accounts.tables import User
from commonroom.hangouts.service.attachments import detach
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.movienight.consumers import ROUNDS
from commonroom.movienight.pages.rounds import address_of
from commonroom.movienight.room import MOVIENIGHT
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.invites import create_invite, join
from commonroom.movienight.service.members import add_managed, leave
from commonroom.movienight.service.rounds.lifecycle import create_round, start_voting
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.queries import get_round
from commonroom.movienight.service.rounds.votes import rate, vote
from commonroom.movienight.service.watched import mark_round_watched
from commonroom.movienight.tables import Round
from commonroom.titles.builtin import Catalogue
from tests.accounts.api.calling import someone
from tests.hangouts.pages.browsing import sent, shown
from tests.house.joins.friends import EVERY_ROOM, Friends
from tests.movienight.evenings import context_of, home_of, likes, now_of
from tests.support.context import at


class Home:
    """The household of Ada and Cleo, with Ada's child Kim; Ben is of the group alone."""

    kim: User

    def __init__(self, friends: Friends) -> None:
        self.friends = friends

    async def move_in(self) -> None:
        store, clock, ada = self.friends.store, self.friends.clock, self.friends.ada
        await home_of(store, clock, ada, self.friends.cleo)
        self.kim = await add_managed(await self.seat(ada), display_name="Kim")
        self.friends.ada = await now_of(store, ada)
        for who in (ada, self.friends.cleo):
            await likes(store, clock, who)
        await likes(store, clock, ada, self.kim)

    async def seat(self, who: User) -> HouseholdContext:
        seat = await context_of(self.friends.store, who)
        return at(self.friends.store, self.friends.clock(), seat)

    async def begins(self) -> Round:
        """Ada begins a round on the hangout."""
        address = f"{self.friends.address}/attachments/begin"
        leads = await sent(await self.friends.browser(self.friends.ada), address, kind="round")
        found = await self.friends.store.get(Round.at(round_id=leads.rpartition("/")[2]))
        assert found is not None
        return found

    async def now(self, round_: Round) -> Round:
        return await get_round(await self.seat(self.friends.ada), round_.round_id)


@pytest.fixture
async def home(friends: Friends) -> Home:
    """Ada's household."""
    made = Home(friends)
    await made.move_in()
    return made


async def test_a_round_begins_with_those_of_the_household_who_go(
    friends: Friends, home: Home
) -> None:
    going = TypedRsvp(status="GOING", companion_ids=[home.kim.user_id])
    await answer(friends.ctx(friends.ada), friends.ada, friends.hangout.hangout_id, going)
    for who in (friends.ben, friends.cleo):
        said = TypedRsvp(status="GOING" if who is friends.ben else "NOT_GOING")
        await answer(friends.ctx(who), who, friends.hangout.hangout_id, said)
    begun = await home.begins()
    assert begun.attendees is not None
    assert set(begun.attendees) == {friends.ada.user_id, home.kim.user_id}
    (kept,) = await friends.attached()
    assert (kept.kind, kept.thing_id) == ("round", begun.round_id)


async def test_where_a_round_is_open_it_is_that_one_which_is_attached(
    friends: Friends, home: Home
) -> None:
    begun = await home.begins()
    friends.hangout = await friends.plans(friends.group)
    assert (await home.begins()).round_id == begun.round_id
    assert len(await friends.attached()) == 1


async def test_its_state_shows_live_from_the_vote_to_the_ratings(
    friends: Friends, home: Home
) -> None:
    begun = await home.begins()
    ada = await home.seat(friends.ada)
    assert "Preparing a shortlist" in await friends.page(friends.ada)
    await start_voting(ada, begun.round_id)
    film = begun.films[0]
    async with friends.listening(friends.cleo) as heard:
        first = await heard()
        assert "No votes yet." in await friends.page(friends.cleo)
        await vote(ada, begun.round_id, film, "up")
        second = await heard()
        assert second != first
        text = await friends.page(friends.cleo)
        assert "1 of 3 have voted." in text
        assert f'version="{second}"' in text
    made = await pick(ada, begun.round_id, film)
    text = await friends.page(friends.cleo)
    assert made.title in text
    assert "Picked for movie night" in text
    await mark_round_watched(ada, begun.round_id)
    await rate(ada, begun.round_id, "loved")
    assert "Watched · 1 loved it" in await friends.page(friends.cleo)


async def test_friends_outside_the_household_see_nothing_and_hear_nothing(
    friends: Friends, home: Home
) -> None:
    before = await friends.page(friends.ben)
    async with friends.listening(friends.ben) as heard:
        first = await heard()
        begun = await home.begins()
        assert f'version="{first}"' in before
        assert f'version="{first}"' in await friends.page(friends.ben), "not even that it is there"
    ada = await home.seat(friends.ada)
    await start_voting(ada, begun.round_id)
    text = await friends.page(friends.ben)
    for word in ("Along with it", "Movie night:", "voted", begun.round_id, "Pick a film"):
        assert word not in text.replace("Movie night</", "")
    assert "Attach something" in before
    async with friends.listening(friends.ben) as heard:
        first = await heard()
        await vote(ada, begun.round_id, begun.films[0], "up")
        await friends.attach(friends.ben, "shareable", await own_page(friends))
        assert await heard() != first, "the page is the first thing that he hears of"
        assert f'version="{first}"' not in await friends.page(friends.ben)
    ben = await friends.browser(friends.ben)
    listed = (await ben.get(f"/api/v1{friends.address}/attachments")).json()["items"]
    assert [one["kind"] for one in listed] == ["shareable"]
    opens = await ben.get(f"{friends.address}/attachments/round/{begun.round_id}")
    assert opens.status_code == 404


async def own_page(friends: Friends) -> str:
    """A page of Ben's."""
    from tests.shareables.furniture import SHOPPING

    page = await friends.shares(friends.ben, SHOPPING)
    short_id: str = page.short_id
    return short_id


async def test_whoever_leaves_the_household_sees_it_no_longer(friends: Friends, home: Home) -> None:
    await home.begins()
    assert "Preparing a shortlist" in await friends.page(friends.cleo)
    await leave(await home.seat(friends.cleo))
    assert "Preparing a shortlist" not in await friends.page(friends.cleo)


async def test_nobody_attaches_the_round_of_another_household(friends: Friends, home: Home) -> None:
    begun = await home.begins()
    ben = await friends.browser(friends.ben)
    for thing in (begun.round_id, "", "nothing", "x" * 300):
        form = {"kind": "round", "thing": thing}
        answer = await ben.post(f"{friends.address}/attachments", data=form)
        assert answer.status_code in (404, 422, 400)
    refused = await ben.post(f"{friends.address}/attachments/begin", data={"kind": "round"})
    assert refused.status_code == 404


async def test_a_picked_film_becomes_a_hangout_that_carries_its_round(
    friends: Friends, home: Home
) -> None:
    ada = await home.seat(friends.ada)
    begun = await create_round(ada, Catalogue())
    await start_voting(ada, begun.round_id)
    made = await pick(ada, begun.round_id, begun.films[0])
    browser = await friends.browser(friends.ada)
    address = f"/movie-night/rounds/{begun.round_id}"
    new = f"/hangouts/new?kind=round&thing={begun.round_id}"
    assert f'href="{new.replace("&", "&amp;")}"' in (await browser.get(address)).text
    form = await shown(browser, new)
    assert f"Movie night: {made.title}" in form
    fields = {"kind": "round", "thing": begun.round_id, "title": "Film", "how": "lock"}
    leads = await sent(browser, "/hangouts/new", group_ids=friends.group.group_id, **fields)
    text = await shown(browser, leads)
    assert made.title in text
    assert made.title not in await shown(await friends.browser(friends.ben), leads)
    friends.opens("movienight")
    browser = await friends.browser(friends.ada)
    assert "Plan it" not in await shown(browser, address), "without hangouts there is no plan"


class TestDay:
    """A round that a hangout carries is of its day, leads there, and is planned."""

    async def pages(self, friends: Friends, round_: Round) -> tuple[str, str, str]:
        """Ada's pages: the round, movie night, and home."""
        browser = await friends.browser(friends.ada)
        found = [await shown(browser, one) for one in (address_of(round_.round_id), "/movie-night")]
        return found[0], found[1], await shown(browser, "/")

    async def test_it_is_that_of_the_hangout_from_the_shortlist_to_the_film(
        self, friends: Friends, home: Home
    ) -> None:
        day = await friends.moves_to(days=3)
        begun = await home.begins()
        assert f"{day:%A}’s shortlist" in (await self.pages(friends, begun))[0]
        ada = await home.seat(friends.ada)
        await start_voting(ada, begun.round_id)
        for page in await self.pages(friends, begun):
            assert f"Vote for {day:%A}’s film" in page
        await pick(ada, begun.round_id, begun.films[0])
        for page in await self.pages(friends, begun):
            assert f"{day:%A}’s film" in page
            assert "Tonight’s film" not in page

    async def test_nobody_is_asked_to_plan_it_again(self, friends: Friends, home: Home) -> None:
        begun = await home.begins()
        ada = await home.seat(friends.ada)
        await start_voting(ada, begun.round_id)
        await pick(ada, begun.round_id, begun.films[0])
        page, *_ = await self.pages(friends, begun)
        assert "Plan it" not in page
        assert f'href="{friends.address}"' in page
        assert "To the hangout" in page

    async def test_it_moves_with_the_hangout(self, friends: Friends, home: Home) -> None:
        before = await friends.moves_to(days=3)
        begun = await home.begins()
        assert begun.plan_day == f"{before:%Y-%m-%d}"
        day = await friends.moves_to(days=40)
        await friends.follow()
        now = await home.now(begun)
        assert now.plan_day == f"{day:%Y-%m-%d}"
        assert now.version > begun.version, "open pages hear of it"
        page, *_ = await self.pages(friends, begun)
        assert f"The shortlist for {day.day} {day:%B}" in page

    async def test_what_people_are_told_names_it_whenever_it_is_read(
        self, friends: Friends, home: Home
    ) -> None:
        before = await friends.moves_to(days=3)
        begun = await home.begins()
        ada, cleo = await home.seat(friends.ada), await friends.browser(friends.cleo)
        await start_voting(ada, begun.round_id)
        await friends.follow(ROUNDS)
        told = await shown(cleo, "/notifications")
        assert f"Vote for the film for {named(before)}" in told
        assert "onight" not in told
        day = await friends.moves_to(days=40)
        for _ in range(2):
            await friends.follow(ROUNDS)
        told = await shown(cleo, "/notifications")
        assert f"Vote for the film for {named(day)}" in told, "it was moved before she read it"
        made = await pick(ada, begun.round_id, begun.films[0])
        await friends.follow(ROUNDS)
        told = await shown(cleo, "/notifications")
        assert f"{named(day)}: {made.title}" in told
        await detach(friends.ctx(friends.ada), friends.hangout.hangout_id, "round", begun.round_id)
        for _ in range(2):
            await friends.follow(ROUNDS)
        assert f"Tonight: {made.title}" in await shown(cleo, "/notifications")

    async def test_today_it_is_tonights(self, friends: Friends, home: Home) -> None:
        begun = await home.begins()
        await friends.moves_to(days=0)
        await friends.follow()
        assert "Tonight’s shortlist" in (await self.pages(friends, begun))[0]

    @pytest.mark.parametrize("end", ["taken off", "cancelled"])
    async def test_without_the_hangout_it_is_tonights_and_can_be_planned(
        self, friends: Friends, home: Home, end: str
    ) -> None:
        await friends.moves_to(days=3)
        begun = await home.begins()
        ada = await home.seat(friends.ada)
        await start_voting(ada, begun.round_id)
        await pick(ada, begun.round_id, begun.films[0])
        hangout_id = friends.hangout.hangout_id
        if end == "cancelled":
            await cancel(friends.ctx(friends.ada), hangout_id)
        else:
            await detach(friends.ctx(friends.ada), hangout_id, "round", begun.round_id)
        await friends.follow()
        page, *_ = await self.pages(friends, begun)
        assert "Tonight’s film" in page
        assert "Plan it" in page
        assert "To the hangout" not in page

    async def test_who_may_not_have_the_hangout_sees_the_day_and_no_way_there(
        self, friends: Friends, home: Home
    ) -> None:
        day = await friends.moves_to(days=3)
        begun = await home.begins()
        dee = await someone(friends.store, "Dee")
        invited = await create_invite(await home.seat(friends.ada))
        await join(friends.ctx(dee), invited.token)
        page = await shown(await friends.browser(dee), address_of(begun.round_id))
        assert f"{day:%A}’s shortlist" in page
        assert friends.hangout.hangout_id not in page

    async def test_the_hangout_to_which_it_was_attached_last_is_its_own(
        self, friends: Friends, home: Home
    ) -> None:
        begun = await home.begins()
        first = friends.hangout
        friends.hangout = await friends.plans(friends.group)
        second = await friends.moves_to(days=5)
        await home.begins()
        friends.hangout = first
        await friends.moves_to(days=2)
        await friends.follow()
        assert (await home.now(begun)).plan_day == f"{second:%Y-%m-%d}"


def named(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B}"


async def test_while_movie_night_is_off_nothing_shows_and_it_comes_back(
    friends: Friends, home: Home
) -> None:
    await home.begins()
    friends.opens("hangouts,shareables")
    text = await friends.page(friends.ada)
    assert "Preparing a shortlist" not in text
    assert "Pick a film" not in text
    friends.opens(EVERY_ROOM)
    assert "Preparing a shortlist" in await friends.page(friends.ada)


async def test_it_goes_with_the_household(friends: Friends, home: Home) -> None:
    await home.begins()
    await leave(await home.seat(friends.cleo))
    await leave(await home.seat(friends.ada))
    await friends.follow(*MOVIENIGHT.data.consumers)
    await friends.follow()
    assert await friends.attached() == []
    assert [one for one in await friends.drift() if one.check == "attachments"] == []


async def test_a_round_takes_a_request_or_two_and_none_for_who_has_no_household(
    friends: Friends, home: Home
) -> None:
    people = (friends.ada, friends.ben)
    before = [await friends.requests(one) for one in people]
    begun = await home.begins()
    assert [await friends.requests(one) for one in people] == [before[0] + 1, before[1]]
    await start_voting(await home.seat(friends.ada), begun.round_id)
    assert [await friends.requests(one) for one in people] == [before[0] + 2, before[1]]
