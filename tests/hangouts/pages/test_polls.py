"""Finding a day and sharing out what to bring in a browser, without any script."""

from __future__ import annotations

import os
import re
from html import unescape

import pytest

from commonroom.accounts.tables import User
from commonroom.hangouts.service.bring_list import TypedBringItem, add_item, claim
from commonroom.hangouts.service.guests import GuestLinks, set_guest_link
from commonroom.hangouts.tables import Ballot, BringItem, FriendGroup, HangoutPoll
from commonroom.store import Store, counting
from tests.accounts.api.calling import Calling, Client
from tests.accounts.people import Watch
from tests.hangouts.friends import crowd_of, everything_of, hangout_of, now_of
from tests.hangouts.voting import Voting


@pytest.fixture
async def adas(calling: Calling, ada: User) -> Client:
    """Ada's browser."""
    return await calling.browser(ada)


@pytest.fixture
async def bens(calling: Calling, ben: User) -> Client:
    """Ben's browser."""
    return await calling.browser(ben)


@pytest.fixture
async def voting(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Voting:
    """An idea of Ada's, and how people vote on it."""
    return Voting(store, clock, await hangout_of(store, clock, ada, friends))


@pytest.fixture
def here(voting: Voting) -> str:
    """Its address."""
    return f"/hangouts/{voting.hangout.hangout_id}"


async def shown(client: Client, path: str) -> str:
    answer = await client.get(path)
    assert answer.status_code == 200, answer.text[-500:]
    return unescape(answer.text)


async def sent(client: Client, path: str, **form: object) -> str:
    """Sends a form; where it leads."""
    answer = await client.post(path, data=form)
    assert answer.status_code == 303, answer.text[-2000:]
    return str(answer.headers["location"])


async def refused(client: Client, path: str, code: int, **form: object) -> str:
    """Sends a form that is refused; what it shows then."""
    answer = await client.post(path, data=form)
    assert answer.status_code == code, answer.text[-500:]
    return unescape(answer.text)


async def only_poll(store: Store) -> HangoutPoll:
    (poll,) = await everything_of(store.engine, HangoutPoll)
    return poll


class TestADayTogether:
    async def test_is_found_by_taps(
        self, adas: Client, bens: Client, voting: Voting, here: str, friends: FriendGroup
    ) -> None:
        page = await shown(adas, here)
        days = re.findall(r'name="days" value="(\d{4}-\d\d-\d\d)"', page)
        assert len(days) == 10
        await sent(adas, f"{here}/polls", subject="TIME", days=days[2:5], part="evening")
        poll = await only_poll(voting.store)
        assert [one.time.period for one in poll.options if one.time] == ["evening"] * 3
        assert "Vote for a day" in await shown(bens, f"/groups/{friends.group_id}")
        assert "The day is being voted on" in await shown(bens, here)
        one = f"{here}/polls/{poll.poll_id}"
        first, second, _ = (option.option_id for option in poll.options)
        assert (await sent(bens, f"{one}/vote", vote=f"{second}.YES")) == here
        await sent(bens, f"{one}/vote", vote=f"{first}.NO")
        (ballot,) = await everything_of(voting.store.engine, Ballot)
        assert ballot.votes == {second: "YES", first: "NO"}
        page = await shown(bens, here)
        assert "1 person has voted." in page
        assert f'value="{second}.YES" aria-pressed="true"' in page
        await sent(adas, f"{one}/close", option_id=second)
        now = await now_of(voting.store, voting.hangout)
        assert now.start_timestamp == poll.options[1].start_timestamp
        page = await shown(bens, here)
        assert "Closed polls (1)" in page
        assert "Decided" in page

    async def test_is_offered_to_whoever_has_just_had_the_idea(
        self, adas: Client, bens: Client, here: str
    ) -> None:
        assert 'id="ask-time" open' in await shown(adas, here)
        assert 'id="ask-time">' in await shown(bens, here)

    async def test_needs_a_day_to_choose_from(self, bens: Client, here: str) -> None:
        page = await refused(bens, f"{here}/polls", 422, subject="TIME", part="evening")
        assert "Give people something to choose from." in page
        assert 'id="ask-time" open' in page

    async def test_is_asked_about_a_time_that_comes_twice(
        self, adas: Client, store: Store, here: str
    ) -> None:
        form = {"subject": "TIME", "days": "2027-10-31", "time": "02:30"}
        asked = await refused(adas, f"{here}/polls", 422, **form)
        meant = re.findall(r'name="time_means" value="([^"]+)"', asked)
        assert len(meant) == 2
        await sent(adas, f"{here}/polls", **form, time_means=meant[1])
        assert len((await only_poll(store)).options) == 1

    async def test_another_one_is_suggested(
        self, adas: Client, bens: Client, voting: Voting, here: str, ada: User
    ) -> None:
        poll = await voting.days(ada)
        one = f"{here}/polls/{poll.poll_id}"
        form = {"poll": poll.poll_id, "day": "2033-05-01", "time": "19:30"}
        await sent(bens, f"{one}/options", **form)
        poll = await only_poll(voting.store)
        assert len(poll.options) == 4
        again = await refused(adas, f"{one}/options", 409, **form)
        assert "This is already one of the options." in again
        assert 'value="2033-05-01"' in again, "what was typed is still there"
        assert "Choose a day." in await refused(adas, f"{one}/options", 422, poll=poll.poll_id)
        last = poll.options[-1].option_id
        await sent(bens, f"{one}/options/remove", option_id=last)
        assert len((await only_poll(voting.store)).options) == 3

    async def test_a_tie_is_decided_by_whoever_closes(
        self, adas: Client, voting: Voting, here: str, ada: User
    ) -> None:
        poll = await voting.days(ada)
        await voting.vote(ada, poll, "yy")
        page = await shown(adas, here)
        assert "It’s a tie. Which one is it?" in page
        one = f"{here}/polls/{poll.poll_id}"
        assert "It is a tie" in await refused(adas, f"{one}/close", 409)
        await sent(adas, f"{one}/close", option_id=poll.options[1].option_id)
        assert (await now_of(voting.store, voting.hangout)).start_timestamp == poll.options[
            1
        ].start_timestamp

    async def test_a_day_set_by_hand_closes_the_poll_and_the_form_says_so_before(
        self, adas: Client, voting: Voting, here: str, ada: User
    ) -> None:
        await voting.days(ada)
        assert "If you set one here, the poll is closed." in await shown(adas, f"{here}/edit")
        form = {"title": "Karaoke?", "day_choice": "other", "day": "2033-05-01", "version": "1"}
        await sent(adas, f"{here}/edit", **form, time="19:00")
        assert (await only_poll(voting.store)).outcome == "OVERRULED"
        assert "Closed: it was set by hand." in await shown(adas, here)

    async def test_its_deadline_is_set_and_it_can_be_deleted(
        self, adas: Client, bens: Client, voting: Voting, here: str, ada: User
    ) -> None:
        poll = await voting.days(ada)
        one = f"{here}/polls/{poll.poll_id}"
        await sent(adas, f"{one}/settings", deadline="3")
        now = await only_poll(voting.store)
        assert now.deadline is not None
        assert not now.others_add_options
        assert "Open until" in await shown(bens, here)
        await sent(adas, f"{one}/settings", deadline="keep", others_add_options="true")
        assert (await only_poll(voting.store)).deadline == now.deadline
        answer = await bens.post(f"{one}/delete")
        assert answer.status_code == 403
        await sent(adas, f"{one}/delete")
        assert await everything_of(voting.store.engine, HangoutPoll) == []


class TestOtherPolls:
    async def test_places_stand_on_a_line_each(
        self, adas: Client, voting: Voting, here: str
    ) -> None:
        await sent(adas, f"{here}/polls", subject="PLACE", lines="The pub\r\n\r\nThe park\r\n")
        poll = await only_poll(voting.store)
        assert [one.place.name for one in poll.options if one.place] == ["The pub", "The park"]
        one = f"{here}/polls/{poll.poll_id}"
        await sent(adas, f"{one}/options", poll=poll.poll_id, label="The lake", address="North")
        assert "The lake" in await shown(adas, here)
        await sent(adas, f"{one}/close", undecided="true")
        assert (await now_of(voting.store, voting.hangout)).place is None

    async def test_anything_can_be_asked(
        self, adas: Client, bens: Client, store: Store, here: str
    ) -> None:
        form = {"subject": "OTHER", "lines": "Chess\nCards"}
        assert "Ask something." in await refused(adas, f"{here}/polls", 422, **form, title=" ")
        await sent(adas, f"{here}/polls", **form, title="What to <play>?", deadline="1")
        page = await bens.get(here)
        assert "What to &lt;play&gt;?" in page.text
        poll = await only_poll(store)
        one = f"{here}/polls/{poll.poll_id}"
        await refused(bens, f"{one}/vote", 422, vote="nothing")
        await sent(bens, f"{one}/vote", vote=f"{poll.options[0].option_id}.MAYBE")
        await sent(bens, f"{one}/withdraw")
        assert await everything_of(store.engine, Ballot) == []


class TestWhatToBring:
    async def test_a_thing_is_added_claimed_and_given_back(
        self, adas: Client, bens: Client, store: Store, here: str
    ) -> None:
        assert "Nothing on the list yet." in await shown(adas, here)
        await sent(adas, f"{here}/bring-list", thing="Bread", needed="2")
        (bread,) = await everything_of(store.engine, BringItem)
        one = f"{here}/bring-list/{bread.bring_item_id}"
        assert "2 still needed" in await shown(bens, here)
        await sent(bens, f"{one}/claim", number="2")
        page = await shown(adas, here)
        assert "Ben (2)" in page
        assert "Covered" in page
        assert "Others already bring all of it." in await refused(
            adas, f"{one}/claim", 409, number="1"
        )
        await sent(bens, f"{one}/claim", number="1")
        await sent(bens, f"{one}/unclaim")
        assert (await now_of(store, bread)).claimed == 0

    async def test_a_thing_is_changed_and_removed(
        self, adas: Client, store: Store, here: str
    ) -> None:
        await sent(adas, f"{here}/bring-list", thing="Bread")
        (bread,) = await everything_of(store.engine, BringItem)
        one = f"{here}/bring-list/{bread.bring_item_id}"
        form = {"item": bread.bring_item_id, "thing": "Rye bread", "note": "Sliced"}
        page = await refused(adas, one, 422, **form, needed="many")
        assert 'value="Rye bread"' in page
        await sent(adas, one, **form, needed="3")
        now = await now_of(store, bread)
        assert (now.name, now.needed, now.note) == ("Rye bread", 3, "Sliced")
        await sent(adas, f"{one}/remove")
        assert await everything_of(store.engine, BringItem) == []


async def test_guests_see_how_options_stand_and_not_who_said_what(
    calling: Calling, voting: Voting, ada: User, ben: User
) -> None:
    poll = await voting.places(ada, "The pub", "The park")
    await voting.vote(ben, poll, "y")
    ids = voting.hangout.hangout_id
    opened = await set_guest_link(voting.ctx(ada), ids, is_open=True, shows_people=False)
    links = GuestLinks(os.urandom(32))
    calling.app.state.guest_links = links
    page = await shown(await calling.guest(), f"/h/{links.token(opened)}")
    assert "The pub" in page
    assert "1 yes" in page
    assert "Ben" not in page
    assert "/vote" not in page


async def test_a_page_with_everything_on_it_costs_as_many_requests_as_an_empty_one(
    adas: Client, voting: Voting, here: str, ada: User, friends: FriendGroup
) -> None:
    await shown(adas, here)
    with counting() as bare:
        await shown(adas, here)
    crowd = [ada, *await crowd_of(voting.store, voting.clock, friends, 12)]
    for poll in (await voting.days(ada), await voting.places(ada, "The pub", "The park")):
        for who in crowd:
            await voting.vote(who, poll, "ym")
    for number in range(5):
        voting.clock.forward(1)
        typed = TypedBringItem(name=f"Thing {number}", needed=20)
        item = await add_item(voting.ctx(ada), voting.hangout.hangout_id, typed)
        for who in crowd:
            await claim(voting.ctx(who), who, item.ref, 1)
    await shown(adas, here)  # whoever asks is read anew after the writes
    with counting() as full:
        page = await shown(adas, here)
    assert "13 people have voted." in page
    assert full.requests == bare.requests
