"""From an idea to a plan in a browser, without any script."""

from __future__ import annotations

import re
from html import unescape

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.guests import set_guest_link
from commonroom.hangouts.tables import FriendGroup, Hangout, Venue
from commonroom.store import Store
from tests.accounts.api.calling import Calling, Client
from tests.accounts.people import Watch
from tests.hangouts.agendas import settle
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
        self, store: Store, clock: Watch, *, adas: Client, bens: Client, friends: FriendGroup
    ) -> None:
        here = f"/groups/{friends.group_id}"
        assert "No hangouts yet" in await shown(adas, here)
        one = await sent(adas, f"{here}/float", title="Karaoke?")
        assert "Karaoke?" in await shown(adas, one)
        assert "Karaoke?" in await shown(adas, "/hangouts")
        await settle(store, clock)
        for path in (here, "/hangouts"):
            page = await shown(bens, path)
            assert "Karaoke?" in page
            assert "Needs a day" in page
        assert "Give it a title." in await refused(adas, f"{here}/float", 422, title=" ")

    async def test_is_answered_in_one_tap_which_leads_back(
        self, store: Store, clock: Watch, ada: User, bens: Client, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        here = f"/groups/{friends.group_id}"
        one = f"/hangouts/{made.hangout_id}"
        assert await sent(bens, f"{one}/answer", status="GOING", next=here) == here
        page = await shown(bens, here)
        assert 'value="GOING" aria-pressed="true"' in page
        assert await sent(bens, f"{one}/answer", status="INTERESTED", next="//evil.org") == "/"
        assert "Choose an answer." in await refused(bens, f"{one}/answer", 422, status="SURE")

    async def test_gets_a_day_by_taps(
        self, adas: Client, store: Store, friends: FriendGroup
    ) -> None:
        page = await shown(adas, f"/hangouts/new?group={friends.group_id}")
        (day,) = re.findall(r'value="(\d{4}-\d\d-\d\d)"[^>]*>[^T]*Tomorrow', page)[:1]
        form = {"title": "Swim", "group_ids": friends.group_id, "how": "lock"}
        await sent(adas, "/hangouts/new", **form, day_choice=day, part="evening")
        (made,) = await everything_of(store.engine, Hangout)
        assert made.time is not None
        assert (made.momentum, made.time.period, made.going_count) == ("CONFIRMED", "evening", 1)

    async def test_is_asked_about_a_time_that_does_not_exist(
        self, adas: Client, store: Store, friends: FriendGroup
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
    async def made(self, store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Hangout:
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


class TestMyHangouts:
    @pytest.mark.parametrize("days, first", [(6, "Cinema"), (8, "Some day")])
    async def test_what_needs_a_day_comes_first_where_nothing_is_within_a_week(
        self, store: Store, clock: Watch, ada: User, calling: Calling, *, days: int, first: str
    ) -> None:
        time = starts_in(clock, days * DAY)
        await hangout_of(store, clock, ada, title="Cinema", time=time)
        await hangout_of(store, clock, ada, title="Some day")
        page = await shown(await calling.browser(ada), "/hangouts")
        places = {page.index(f">{title}</a>"): title for title in ("Cinema", "Some day")}
        assert places[min(places)] == first


class TestGuests:
    async def test_answer_with_a_name_and_change_it_with_a_link_of_their_own(
        self, store: Store, clock: Watch, ada: User, calling: Calling, friends: FriendGroup
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

    async def test_who_answer_twice_in_one_browser_change_their_answer(
        self, store: Store, clock: Watch, ada: User, calling: Calling, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, is_on=True)
        ctx = Context(store, ada, clock())
        links: list[str] = []
        adas, guest = await calling.browser(ada), await calling.guest()
        for is_open in (True, False, True):  # the link is another one then
            await set_guest_link(ctx, made.hangout_id, is_open=is_open)
            if is_open:
                page = await shown(adas, f"/hangouts/{made.hangout_id}")
                links += re.findall(r'/h/[\w-]+(?=")', page)[:1]
                await sent(guest, links[-1], name="Jo", status="GOING", plus_guests="1")
        assert links[0] != links[1]
        mine = await sent(guest, links[1], name="Jo", status="GOING")
        now = await now_of(store, made)
        assert (now.guest_count, now.going_count) == (1, 2)
        assert mine in await shown(guest, links[1]), "the plain link shows their own answer"
        assert await sent(guest, f"{mine}/forget") == links[1]
        await sent(guest, links[1], name="Kim", status="GOING")
        assert (await now_of(store, made)).guest_count == 2, "somebody else at the same screen"
        await shown(guest, mine)  # Jo comes back with the private link, and is known again
        await sent(guest, f"{mine}/withdraw")
        await sent(guest, links[1], name="Jo", status="INTERESTED")
        assert (await now_of(store, made)).guest_count == 2

    async def test_read_who_invites_and_what_helps_to_find_it_once_they_go(
        self,
        store: Store,
        clock: Watch,
        *,
        ada: User,
        ben: User,
        calling: Calling,
        friends: FriendGroup,
    ) -> None:
        home = Venue(name="Ada's", address="1 High Street", notes="Gate code 4711")
        made = await hangout_of(store, clock, ada, friends, place=home)
        await set_guest_link(
            Context(store, ada, clock()), made.hangout_id, is_open=True, shows_people=False
        )
        one = f"/hangouts/{made.hangout_id}"
        adas, guest = await calling.browser(ada), await calling.guest()
        bens = await calling.browser(ben)
        page = await shown(adas, one)
        assert "4711" in page
        link = re.findall(r'/h/[\w-]+(?=")', page)[0]
        assert "Ada invites you" in await shown(guest, link)
        for client, path in ((guest, link), (bens, one), (bens, f"/api/v1{one}")):
            assert "4711" not in await shown(client, path)
        mine = await sent(guest, link, name="Jo", status="INTERESTED")
        assert "4711" not in await shown(guest, mine)
        await sent(guest, mine, name="Jo", status="GOING")
        await sent(bens, f"{one}/answer", status="GOING")
        for client, path in ((guest, mine), (bens, one), (bens, f"/api/v1{one}")):
            assert "4711" in await shown(client, path)

    async def test_who_edit_without_going_neither_read_nor_lose_what_helps_to_find_it(
        self,
        store: Store,
        clock: Watch,
        *,
        ada: User,
        ben: User,
        calling: Calling,
        friends: FriendGroup,
    ) -> None:
        home = Venue(name="Ada's", address="1 High Street", notes="Gate code 4711")
        made = await hangout_of(store, clock, ada, friends, place=home)
        one, bens = f"/hangouts/{made.hangout_id}", await calling.browser(ben)
        page = await shown(bens, f"{one}/edit")
        assert "1 High Street" in page
        assert "4711" not in page
        same = {"place_name": "Ada's", "place_was": "Ada's", "place_address": "1 High Street"}
        await sent(bens, f"{one}/edit", title="Cake", version=str(made.version), **same)
        now = await now_of(store, made)
        assert (now.title, now.place) == ("Cake", home)
        await sent(bens, f"{one}/answer", status="GOING")
        assert "4711" in await shown(bens, f"{one}/edit")
        await shown(bens, "/hangouts/no%23id/edit", 404)

    async def test_who_edit_neither_lose_the_places_own_page_nor_miss_what_is_wrong_with_it(
        self, store: Store, clock: Watch, ada: User, calling: Calling, friends: FriendGroup
    ) -> None:
        website = "https://crown.example/"
        pub = Venue(name="The Crown", url=website)
        made = await hangout_of(store, clock, ada, friends, place=pub)
        one, adas = f"/hangouts/{made.hangout_id}", await calling.browser(ada)
        assert f'href="{website}"' in await shown(adas, one)
        form = {"title": "Quiz", "place_name": pub.name, "version": str(made.version)}
        refused = await adas.post(f"{one}/edit", data=form | {"place_url": "crown"})
        assert refused.status_code == 422
        assert 'id="place_url-wrong"' in refused.text
        assert website in await shown(adas, f"{one}/edit")
        await sent(adas, f"{one}/edit", **form, place_url=website)
        assert (await now_of(store, made)).place == pub

    async def test_who_have_the_hangout_answer_as_themselves(
        self, store: Store, clock: Watch, ada: User, calling: Calling, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        one, adas = f"/hangouts/{made.hangout_id}", await calling.browser(ada)
        await sent(adas, f"{one}/answer", status="GOING")
        await sent(adas, f"{one}/guest-link", shows_people="true")
        link = re.findall(r'/h/[\w-]+(?=")', await shown(adas, one))[0]
        seen = await adas.get(link, follow_redirects=False)
        assert (seen.status_code, seen.headers["location"]) == (303, one)
        assert await sent(adas, link, name="Me", status="GOING") == one
        now = await now_of(store, made)
        assert (now.going_count, now.guest_count, now.momentum) == (1, 0, "BUILDING")
        cid = await calling.browser(await somebody(store, clock, "Cid"))
        assert (await sent(cid, link, name="Cid", status="GOING")).startswith(link)

    async def test_see_neither_notes_nor_names_that_the_maker_hides(
        self,
        store: Store,
        clock: Watch,
        *,
        ada: User,
        ben: User,
        calling: Calling,
        friends: FriendGroup,
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, is_on=True)
        adas, guest = await calling.browser(ada), await calling.guest()
        one = f"/hangouts/{made.hangout_id}"
        await sent(adas, f"{one}/answer", status="GOING", whole="true", note="Secret")
        await sent(adas, f"{one}/guest-link", shows_people="true")
        link = re.findall(r'/h/[\w-]+(?=")', await shown(adas, one))[0]
        bens = await calling.browser(ben)
        await sent(bens, f"{one}/answer", status="GOING")
        page = await shown(guest, link)
        assert "Ben" in page
        assert "Secret" not in page
        ctx = Context(store, ada, clock())
        await set_guest_link(ctx, made.hangout_id, is_open=True, shows_people=False)
        assert "Ben" not in await shown(guest, link)

    async def test_who_are_removed_do_not_come_back_by_the_link(
        self, store: Store, clock: Watch, ada: User, calling: Calling, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, is_on=True)
        adas, guest = await calling.browser(ada), await calling.guest()
        one = f"/hangouts/{made.hangout_id}"
        await sent(adas, f"{one}/guest-link", shows_people="true")
        link = re.findall(r'/h/[\w-]+(?=")', await shown(adas, one))[0]
        await sent(guest, link, name="Jo", status="GOING", plus_guests="0")
        page = await shown(adas, one)
        assert "the guest link is turned off, so they can’t come back" in page
        [who] = re.findall(r'name="who" value="(guest-[\w-]+)"', page)
        await sent(adas, f"{one}/guests/remove", who=who)
        assert "Answer removed, and the guest link is turned off." in await shown(adas, one)
        await shown(guest, link, 404)
