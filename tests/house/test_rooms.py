"""Rooms can be switched off: such a room is nowhere to be seen, and nothing of it answers."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from commonroom.house.rooms import ROOMS
from tests.house.whole import whole
from tests.support.pages import text


async def test_an_open_room_is_shown_and_answers(tmp_path: Path) -> None:
    async with whole(tmp_path, rooms="library, hangouts") as house:
        browser = await house.browser()
        assert (await browser.get("/library")).status_code == 200
        assert (await browser.get("/api/v1/libraries")).json()["items"] == []
        home = text(await browser.get("/"))
        assert ("Library" in home, "Hangouts" in home) == (True, True)
        assert not any(name in home for name in ("Movie night", "Shareables", "Watchlists"))


@pytest.mark.parametrize("who", ["guest", "browser"])
async def test_a_room_that_is_switched_off_is_not_there(tmp_path: Path, who: str) -> None:
    async with whole(tmp_path, rooms="movienight") as house:
        client = await getattr(house, who)()
        for path in ("/library", "/api/v1/libraries"):
            assert (await client.get(path)).status_code == 404
        shown = text(await client.get("/"))
        assert "Movie night" in shown
        assert "Library" not in shown


@pytest.mark.parametrize("closed", [room.key for room in ROOMS])
async def test_no_page_leads_to_a_room_that_is_switched_off(tmp_path: Path, closed: str) -> None:
    opened = ",".join(room.key for room in ROOMS if room.key != closed)
    async with whole(tmp_path, rooms=opened) as house:
        browser = await house.browser()
        links: set[str] = set()
        for page in ("/", "/me", "/me/notifications", "/admin/people", "/notifications"):
            answer = await browser.get(page)
            links |= set(re.findall(r'(?:href|src)="(/[^"#]*)', answer.text)) - {"/home/live"}
        found = {link: (await browser.get(unescape(link))).status_code for link in sorted(links)}
        assert len(found) > 10
        assert [link for link, status in found.items() if status == 404] == []


async def test_all_are_open_where_nothing_is_set(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        home = text(await (await house.browser()).get("/"))
        assert all(room.name in home for room in ROOMS)


@pytest.mark.parametrize("opened, shown", [("shareables", True), ("library", False)])
async def test_a_guest_is_led_to_what_needs_no_account(
    tmp_path: Path, opened: str, shown: bool
) -> None:
    async with whole(tmp_path, rooms=opened) as house:
        answer = await (await house.guest()).get("/")
    assert ('href="/s"' in answer.text) is shown
    assert 'href="/library"' not in answer.text


def test_who_only_wants_to_know_the_rooms_loads_no_server() -> None:
    # Every command does: it would start a quarter of a second later.
    asked = "import sys, commonroom.house.rooms; print('commonroom.http.request' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
