"""From an idea to a plan in a browser, without any script."""

from __future__ import annotations

import re
from html import unescape

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.guests import set_guest_link
from commonroom.hangouts.tables import Group, Hangout
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    PUB,
    child_of,
    everything_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
)
from tests.hangouts.pages.browsing import refused, sent, shown
from tests.web.api.calling import Calling, Client


@pytest.fixture
async def adas(calling: Calling, ada: User) -> Client:
    """Ada's browser."""
    return await calling.browser(ada)


@pytest.fixture
async def bens(calling: Calling, ben: User) -> Client:
    """Ben's browser."""
    return await calling.browser(ben)


class TestAnIdea:
    async def test_is_floated_from_the_feed_with_its_title_alone(
        self, adas: Client, bens: Client, friends: Group
    ) -> None:
        here = f"/groups/{friends.group_id}"
        assert "No hangouts yet" in await shown(adas, here)
        one = await sent(adas, f"{here}/float", title="Karaoke?")
        assert "Karaoke?" in await shown(adas, one)
        for path in (here, "/hangouts"):
            page = await shown(bens, path)
            assert "Karaoke?" in page
            assert "Needs a day" in page
        assert "Give it a title." in await refused(adas, f"{here}/float", 422, title=" ")

    async def test_is_answered_in_one_tap_which_leads_back(
        self, store: Store, clock: Watch, ada: User, bens: Client, friends: Group
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        here = f"/groups/{friends.group_id}"
        one = f"/hangouts/{made.hangout_id}"
        assert await sent(bens, f"{one}/answer", status="GOING", next=here) == here
        page = await shown(bens, here)
        assert 'value="GOING" aria-pressed="true"' in page
        assert await sent(bens, f"{one}/answer", status="INTERESTED", next="//evil.org") == "/"
        assert "Choose an answer." in await refused(bens, f"{one}/answer", 422, status="SURE")

    async def test_gets_a_day_by_taps(self, adas: Client, store: Store, friends: Group) -> None:
        page = await shown(adas, f"/hangouts/new?group={friends.group_id}")
        (day,) = re.findall(r'value="(\d{4}-\d\d-\d\d)"[^>]*>[^T]*Tomorrow', page)[:1]
        form = {"title": "Swim", "group_ids": friends.group_id, "how": "lock"}
        await sent(adas, "/hangouts/new", **form, day_choice=day, part="evening")
        (made,) = await everything_of(store.engine, Hangout)
        assert made.time is not None
        assert (made.momentum, made.time.period, made.going_count) == ("CONFIRMED", "evening", 1)

    async def test_is_asked_about_a_time_that_does_not_exist(
        self, adas: Client, store: Store, friends: Group
    ) -> None:
        form = {"title": "Early", "group_ids": friends.group_id, "day_choice": "other"}
        form |= {"day": "2027-03-28", "time": "02:30"}
        asked = await refused(adas, "/hangouts/new", 422, **form)
        assert "There is no 02:30 that night" in asked
        meant = re.findall(r'name="time_means" value="([^"]+)"', asked)
        assert len(meant) == 2
        await sent(adas, "/hangouts/new", **form, time_means=meant[1])
        (made,) = await everything_of(store.engine, Hangout)
        assert made.start_timestamp is not None


class TestAHangout:
    @pytest.fixture
    async def made(self, store: Store, clock: Watch, ada: User, friends: Group) -> Hangout:
        return await hangout_of(
            store, clock, ada, friends, is_on=True, place=PUB, time=starts_in(clock, 3 * DAY)
        )

    async def test_a_family_comes_with_guests_and_one_tap_keeps_them(
        self, store: Store, clock: Watch, ben: User, calling: Calling, made: Hangout
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        bens = await calling.browser(ben)
        one = f"/hangouts/{made.hangout_id}"
        assert "Lea" in await shown(bens, one)
        company = {"companion_ids": lea.user_id, "plus_guests": "2", "note": "Late"}
        await sent(bens, f"{one}/answer", status="GOING", whole="true", **company)
        assert (await now_of(store, made)).going_count == 5
        assert "with Lea and 2 guests" in await shown(bens, one)
        await sent(bens, f"{one}/answer", status="INTERESTED")
        now = await now_of(store, made)
        assert (now.going_count, now.interested_count) == (1, 4)

    async def test_is_opened_to_everyone_and_back_by_its_form(
        self, adas: Client, store: Store, made: Hangout
    ) -> None:
        one = f"/hangouts/{made.hangout_id}"
        assert "Who can see it?" in await shown(adas, f"{one}/edit")
        for visibility in ("PUBLIC", "INVITE_ONLY"):
            now = await now_of(store, made)
            form = {"title": now.title, "version": str(now.version), "visibility": visibility}
            await sent(adas, f"{one}/edit", **form)
            assert (await now_of(store, made)).visibility == visibility

    async def test_somebody_who_was_invited_is_uninvited(
        self, adas: Client, store: Store, clock: Watch, made: Hangout
    ) -> None:
        zoe = await somebody(store, clock, "Zoe")
        one = f"/hangouts/{made.hangout_id}"
        await sent(adas, f"{one}/invite", email="zoe@example.org")
        assert f'value="{zoe.user_id}"' in await shown(adas, one)
        await sent(adas, f"{one}/uninvite", who=zoe.user_id)
        assert "Zoe" not in await shown(adas, one)

    async def test_an_edit_that_comes_too_late_shows_both_texts(
        self, adas: Client, bens: Client, made: Hangout
    ) -> None:
        edit = f"/hangouts/{made.hangout_id}/edit"
        form = {"place_name": "The pub", "version": "1"}
        assert 'name="version" value="1"' in await shown(adas, edit)
        await sent(bens, edit, **form, title="Opera")
        both = await refused(adas, edit, 409, **form, title="Musical")
        assert 'value="Musical"' in both
        assert "Now it says: Opera" in both
        assert 'name="version" value="2"' in both
        await sent(adas, edit, **{**form, "version": "2"}, title="Musical")
        assert "Musical" in await shown(bens, f"/hangouts/{made.hangout_id}")

    async def test_is_cancelled_brought_back_and_deleted_by_its_maker(
        self, adas: Client, bens: Client, made: Hangout
    ) -> None:
        one = f"/hangouts/{made.hangout_id}"
        assert (await bens.post(f"{one}/cancel")).status_code == 403
        assert "Cancel hangout" not in await shown(bens, one)
        await sent(adas, f"{one}/cancel")
        assert "Cancelled" in await shown(bens, one)
        await sent(adas, f"{one}/bring-back")
        assert await sent(adas, f"{one}/delete") == "/hangouts"
        await shown(bens, one, 404)

    async def test_is_in_the_month_and_a_stranger_sees_it_nowhere(
        self, calling: Calling, eve: User, bens: Client, made: Hangout
    ) -> None:
        assert made.time is not None
        month = (made.time.start_time or "")[:7]
        assert made.title in await shown(bens, f"/hangouts/month?month={month}")
        eves = await calling.browser(eve)
        assert made.title not in await shown(eves, f"/hangouts/month?month={month}")
        assert made.title not in await shown(eves, "/hangouts")
        await shown(eves, f"/hangouts/{made.hangout_id}", 404)
        await shown(eves, f"/groups/{made.group_ids[0]}", 404)


class TestGuests:
    async def test_answer_with_a_name_and_change_it_with_a_link_of_their_own(
        self, store: Store, clock: Watch, ada: User, calling: Calling, friends: Group
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, is_on=True, place=PUB)
        adas, guest = await calling.browser(ada), await calling.guest()
        one = f"/hangouts/{made.hangout_id}"
        await sent(adas, f"{one}/guest-link", shows_people="true")
        link = re.findall(r'/h/[\w-]+(?=")', await shown(adas, one))[0]
        assert "Ada" in await shown(guest, link)
        mine = await sent(guest, link, name="Jo", status="GOING", plus_guests="1")
        answer = await guest.get(mine)
        assert answer.headers["cache-control"] == "no-store"
        assert mine in unescape(answer.text)
        await sent(guest, mine, name="Jo", status="NOT_GOING")
        assert (await now_of(store, made)).not_going_count == 1
        await sent(guest, f"{mine}/withdraw")
        assert (await now_of(store, made)).guest_count == 0
        await sent(adas, f"{one}/guest-link/close")
        await shown(guest, link, 404)

    async def test_see_neither_notes_nor_names_that_the_maker_hides(
        self, store: Store, clock: Watch, ada: User, calling: Calling, friends: Group
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, is_on=True)
        adas, guest = await calling.browser(ada), await calling.guest()
        one = f"/hangouts/{made.hangout_id}"
        await sent(adas, f"{one}/answer", status="GOING", whole="true", note="Secret")
        await sent(adas, f"{one}/guest-link", shows_people="true")
        link = re.findall(r'/h/[\w-]+(?=")', await shown(adas, one))[0]
        assert "Secret" not in await shown(guest, link)
        ctx = Context(store, ada, clock())
        await set_guest_link(ctx, made.hangout_id, is_open=True, shows_people=False)
        assert "Ada" not in await shown(guest, link)
