"""What the menus hold for whom, and what of it is marked."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from commonroom.accounts.service import sessions
from commonroom.house.rooms import ROOMS
from commonroom.http.authentication import COOKIE
from commonroom.http.navigation.menus import MenuLocation, place_of
from commonroom.joins.menus import NewThing
from commonroom.joins.rooms import offers_of
from tests.accounts.api.calling import someone
from tests.house.whole import HOST, Whole, whole
from tests.support.first_account import SECRET_KEY
from tests.support.pages import Browser, requests_for, text

BAR = ["/", "/search", "/new", "/notifications"]
ROOM_ADDRESSES = [room.address for room in ROOMS]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    """An installation where Ada lives, who runs it."""
    async with whole(tmp_path, secret_key=SECRET_KEY) as made:
        yield made


@pytest.fixture
async def ada(house: Whole) -> Browser:
    """The administrator's browser."""
    return Browser(await house.browser())


@pytest.fixture
async def ben(house: Whole) -> Browser:
    """The browser of somebody with an ordinary account."""
    person = await someone(house.store, "Ben")
    client = await house.guest()
    secret = await sessions.open_session(house.store, time.time(), person)
    client.cookies.set(COOKIE, secret, domain=HOST)
    return Browser(client)


@pytest.fixture
async def guest(house: Whole) -> Browser:
    """The browser of somebody unknown."""
    return Browser(await house.guest())


@pytest.fixture
async def mia(ada: Browser) -> Browser:
    """Ada's browser while she acts for her child."""
    await ada.send("/me/members", display_name="Mia", avatar_key="owl")
    found = re.search(r'name="member_id" value="([^"]+)"', (await ada.get("/me/members")).text)
    assert found
    await ada.send("/act-as", member_id=found[1])
    return ada


def part(answer: httpx.Response, start: str, end: str) -> str:
    """A menu of a page."""
    return answer.text.partition(start)[2].partition(end)[0]


def bar(answer: httpx.Response) -> str:
    return part(answer, '<nav class="bar"', "</nav>")


def side(answer: httpx.Response) -> str:
    return part(answer, '<nav class="side"', "</nav>")


def account(answer: httpx.Response) -> str:
    return part(answer, "account-top", "</details>")


def links(menu: str) -> list[str]:
    """Where a menu leads, in order."""
    return re.findall(r'<(?:a|form)[^>]* (?:href|action)="([^"]+)"', menu)


def marked(menu: str) -> list[tuple[str, str]]:
    """Where one is, as the menu says."""
    return re.findall(r'href="([^"]+)"[^>]* aria-current="(\w+)"', menu)


class TestWhatThereIs:
    async def test_a_guest_has_no_menus(self, guest: Browser) -> None:
        shown = (await guest.get("/")).text
        assert 'class="bar"' not in shown
        assert 'class="side"' not in shown
        assert "Sign out" not in shown

    async def test_the_bar_has_five_places_and_the_last_one_opens_the_rooms(
        self, ben: Browser
    ) -> None:
        assert links(bar(await ben.get("/"))) == BAR + ROOM_ADDRESSES

    async def test_the_side_has_search_something_new_and_the_rooms(self, ben: Browser) -> None:
        shown = links(side(await ben.get("/")))
        assert shown[:5] == ["/", "/search", "/new", "/", "/notifications"]
        assert shown[5:10] == ROOM_ADDRESSES

    async def test_a_face_opens_what_is_ones_own(self, ben: Browser) -> None:
        assert links(account(await ben.get("/"))) == ["/me", "/sign-out"]

    async def test_an_administrator_finds_the_administration_there(self, ada: Browser) -> None:
        assert links(account(await ada.get("/"))) == ["/me", "/admin/people", "/sign-out"]

    async def test_whoever_has_members_can_switch(self, ada: Browser) -> None:
        await ada.send("/me/members", display_name="Mia", avatar_key="owl")
        assert "/act-as" in links(account(await ada.get("/")))

    async def test_acting_for_a_child_shows_only_what_they_may(self, mia: Browser) -> None:
        shown = await mia.get("/")
        assert links(bar(shown)) == ["/", "/search", "/new", "/act-as", *ROOM_ADDRESSES]
        assert links(account(shown)) == ["/act-as", "/sign-out"]
        assert "/notifications" not in links(side(shown))
        assert "notice-bell" not in shown.text, "nobody listens for what they may not hear"
        for address in links(bar(shown)) + links(account(shown))[:-1]:
            assert (await mia.get(address)).status_code == 200

    @pytest.mark.parametrize("closed", [room.key for room in ROOMS])
    async def test_a_room_that_is_switched_off_is_in_no_menu(
        self, tmp_path: Path, closed: str
    ) -> None:
        opened = [room for room in ROOMS if room.key != closed]
        async with whole(tmp_path, rooms=",".join(room.key for room in opened)) as house:
            shown = await (await house.browser()).get("/new")
        there = [room.address for room in opened]
        assert links(bar(shown)) == BAR + there
        assert f'room="{closed}"' not in shown.text
        made = [thing.address for thing in offers_of(opened, NewThing)]
        assert links(part(shown, 'class="new-things"', "</ul>")) == made


class TestWhereOneIs:
    async def test_the_page_that_a_link_leads_to_is_marked_as_that_page(self, ben: Browser) -> None:
        for address in ("/", "/search", "/new", "/library"):
            shown = await ben.get(address)
            assert marked(side(shown) + account(shown)) or address == "/search"
            assert marked(bar(shown)) == [(address, "page")]

    async def test_a_page_within_is_marked_as_true(self, ben: Browser) -> None:
        shown = await ben.get("/library/loans")
        assert marked(bar(shown)) == marked(side(shown)) == [("/library", "true")]

    async def test_the_bar_shows_in_which_room_one_is(self, ben: Browser) -> None:
        shown = bar(await ben.get("/hangouts"))
        assert 'class="bar-place bar-hangouts" aria-current="true"' in shown
        assert "#hangouts" in shown.partition("<summary")[2].partition("</summary>")[0]
        assert "aria-current" not in part(await ben.get("/"), "<summary", "</summary>")

    @pytest.mark.parametrize(
        "path, key, is_start",
        [
            ("/", "/", True),
            ("/me", "/me", True),
            ("/me/members", "/me", False),
            ("/admin/people", "/admin", False),
            ("/s", "shareables", True),
            ("/search", "/search", True),
            ("/lists/x", "watchlists", False),
            ("/groups", "hangouts", False),
            ("/members", None, False),
            ("/newest", None, False),
        ],
    )
    def test_a_path_belongs_to_a_room_or_a_section(
        self, path: str, key: str | None, is_start: bool
    ) -> None:
        assert place_of(ROOMS, path) == MenuLocation(key, is_start)


class TestNew:
    async def test_everything_that_can_be_made_is_on_one_page(self, ben: Browser) -> None:
        shown = await ben.get("/new")
        every = offers_of(ROOMS, NewThing)
        assert len(every) == 8
        assert links(part(shown, 'class="new-things"', "</ul>")) == [one.address for one in every]
        assert all(one.name in text(shown) and one.line in text(shown) for one in every)

    async def test_each_leads_to_a_form_or_to_what_must_be_there_first(self, ben: Browser) -> None:
        for address in links(part(await ben.get("/new"), 'class="new-things"', "</ul>")):
            answer = await ben.get(address)
            page = answer if answer.status_code == 200 else await ben.follow(answer)
            assert page.status_code == 200
            assert "<form" in page.text.partition("<main")[2]

    async def test_a_child_is_offered_only_what_they_may_make(self, mia: Browser) -> None:
        shown = links(part(await mia.get("/new"), 'class="new-things"', "</ul>"))
        offered = [one for one in offers_of(ROOMS, NewThing) if one.for_managed]
        assert shown == [one.address for one in offered]
        for one in offers_of(ROOMS, NewThing):
            status = (await mia.get(one.address)).status_code
            assert (status == 403) is not one.for_managed, one.address

    async def test_a_guest_is_offered_what_needs_no_account(self, guest: Browser) -> None:
        shown = links(part(await guest.get("/new"), 'class="new-things"', "</ul>"))
        assert shown == ["/s/new/checklist", "/s/new/event", "/s/new/poll"]
        for address in shown:
            assert (await guest.get(address)).status_code == 200

    async def test_where_a_guest_can_make_nothing_they_are_asked_to_sign_in(
        self, tmp_path: Path
    ) -> None:
        async with whole(tmp_path, rooms="library") as house:
            guest = await house.guest()
            shown = await guest.get("/new")
        assert 'href="/sign-in?next=/new"' in shown.text

    async def test_where_nobody_can_make_anything_nothing_leads_there(self, tmp_path: Path) -> None:
        async with whole(tmp_path, of_rooms=()) as house:
            browser = await house.browser()
            assert 'href="/new"' not in (await browser.get("/")).text
            assert "Nothing to make here" in text(await browser.get("/new"))

    async def test_it_asks_the_store_for_nothing_but_who_asks(self, ben: Browser) -> None:
        assert await requests_for(ben, "/new") == await requests_for(ben, "/offline")
