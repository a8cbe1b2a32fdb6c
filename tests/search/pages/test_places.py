"""Places in the product: found by what people want to do, without any request."""

from __future__ import annotations

import re
from html import unescape
from importlib.resources import files
from pathlib import Path

from httpx import AsyncClient

from commonroom.house.rooms import ROOMS
from commonroom.house.search import search_places
from commonroom.store import counting
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, somebody
from tests.house.whole import Whole, whole
from tests.movienight.evenings import home_of
from tests.search.pages.private_things import SEARCH, browser_of
from tests.search.pages.test_pages import addresses

WANTED = {
    "invite somebody": "/movie-night/household",
    "add a child": "/me/members",
    "kids": "/me/members",
    "import books": "/library/import",
    "letterboxd": "/watchlists/import",
    "calendar feed": "/me/calendar",
    "notification settings": "/me/notifications",
    "dark mode": "/me#theme",
    "chnage password": "/me/security",
    "new poll": "/s/new/poll",
    "plan a hangout": "/hangouts/new",
    "quiet hours": "/me/notifications#when",
    "webhook": "/me/webhooks",
    "daily digest": "/me/notifications#when",
    "push": "/me/notifications#this-device",
    "delete account": "/me/data",
}
SETTINGS = (
    *("/me", "/me/calendar", "/me/data", "/me/members", "/me/notifications", "/me/security"),
    *("/me/tokens", "/me/webhooks", "/admin/invitations", "/admin/webhooks"),
)


async def places(client: AsyncClient, text: str) -> list[str]:
    return addresses(await client.get(SEARCH, params={"q": text, "kind": "place"}))


async def test_people_find_a_place_by_what_they_want_to_do(house: Whole) -> None:
    ada = await house.browser()
    found = {text: (await places(ada, text) or [""])[0] for text in WANTED}
    assert found == WANTED


async def test_settings_are_found_by_what_stands_on_their_pages(house: Whole) -> None:
    ada = await house.browser()
    said = {str(room.name) for room in ROOMS} | {"When", "Rooms"}
    lost = []
    for address in SETTINGS:
        page = await ada.get(address)
        for heading in re.findall(r"<h[12][^>]*>([^<]+)</h[12]>", page.text):
            if heading in said:
                continue
            found = await places(ada, unescape(heading))
            if address not in {one.partition("#")[0] for one in found}:
                lost.append((address, heading, found))
    assert lost == []


def test_every_page_of_settings_and_administration_is_a_place() -> None:
    rows = (Path(__file__).parents[2] / "house" / "access.txt").read_text().splitlines()
    pages = {row.split()[1] for row in rows if re.match(r"GET +/(me|admin)/[a-z]+ ", row)}
    known = {one.address.partition("#")[0] for one in search_places(ROOMS)}
    assert len(pages) > 10
    assert pages <= known


async def test_a_few_are_shown_among_other_results(house: Whole) -> None:
    answer = await (await house.browser()).get(SEARCH, params={"q": "new"})
    assert "In Commonroom" in answer.text
    assert len([one for one in addresses(answer) if one in WANTED.values()]) <= 3


async def test_all_of_them_can_be_opened(house: Whole) -> None:
    await home_of(house.store, Watch(), house.ada)
    ada = await house.browser()
    for place in search_places(ROOMS):
        if not place.address.startswith("/s"):  # these need the secrets of an installation
            opened = await ada.get(place.address, follow_redirects=True)
            assert opened.status_code == 200, place.address


def test_each_has_a_picture_that_there_is() -> None:
    drawn = files("commonroom.http").joinpath("static/icons.svg").read_text()
    for place in search_places(ROOMS):
        assert f'id="{place.icon}"' in drawn, place.address


async def test_what_needs_a_household_is_shown_to_those_who_have_one(house: Whole) -> None:
    ada = await house.browser()
    assert await places(ada, "start a movie night") == []
    await home_of(house.store, Watch(), house.ada)
    assert "/movie-night/rounds/new" in await places(ada, "start a movie night")


async def test_what_is_for_administrators_is_shown_to_them_alone(house: Whole) -> None:
    ada = await house.browser()
    assert "/admin/people" in await places(ada, "administration")
    eve = await browser_of(house, await somebody(house.store, Watch(), "Eve"))
    assert not [one for one in await places(eve, "administration") if one.startswith("/admin")]


async def test_neither_guests_nor_a_child_at_the_screen_are_shown_any(house: Whole) -> None:
    assert await places(await house.guest(), "notification settings") == []
    ada = await house.browser()
    child = await child_of(house.store, Watch(), house.ada, "Lea")
    ada.headers["x-acting-as-member"] = child.user_id
    assert await places(ada, "notification settings") == []


async def test_they_cost_no_request_and_are_not_among_films_of_a_year(house: Whole) -> None:
    ada = await house.browser()
    await places(ada, "calendar")
    with counting() as count:
        await places(ada, "calendar")
    assert count.requests == 0
    filtered = await ada.get(SEARCH, params={"q": "calendar", "year_from": "1990"})
    assert "/me/calendar" not in addresses(filtered)


async def test_a_room_that_is_switched_off_takes_its_places_along(tmp_path: Path) -> None:
    async with whole(tmp_path, rooms="library") as house:
        ada = await house.browser()
        assert await places(ada, "letterboxd") == []
        assert await places(ada, "import books") == ["/library/import"]
