"""Nobody who shares nothing with people reads their ids, wherever pages and API lead."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest
from httpx import AsyncClient

from commonroom.accounts.tables import users
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.hangouts import create_hangout
from commonroom.house.demo import seed_demo
from commonroom.store import Store
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.service.ratings import rate
from tests.support.cinema import Cinema, cinema

MAX_PAGES = 80
LINKS = re.compile(r'<a [^>]*href="(/[^"#?]*)')
V1 = "/api/v1"


@pytest.fixture
async def house(store_of_now: Store, tmp_path: Path) -> AsyncIterator[Cinema]:
    """The demonstration, in which people have said and answered something in public."""
    async with cinema(store_of_now, tmp_path) as made:
        yield made


async def test_strangers_read_no_ids(house: Cinema) -> None:
    starts = await talk_in_public(house)
    found = await house.store.engine.scan(users, limit=100)
    ids = [one["user_id"] for one in found.items]
    stranger = await house.person("Stranger")
    for client in (await house.client(), await house.client(stranger)):
        read = await walk(client, starts)
        assert read.keys() > set(starts)
        leaks = [(path, one) for path, text in read.items() for one in ids if one in text]
        assert leaks == []


async def talk_in_public(house: Cinema) -> list[str]:
    """A comment, a review and an answer; gives where a walk begins."""
    people = await seed_demo(house.store, time.time())
    maya, jonas = house.asks(people.maya), house.asks(people.jonas)
    mayas = await house.client(people.maya)
    shown = (await mayas.get(f"{V1}/watchlists")).json()["items"][0]["watchlist_id"]
    await add_comment(jonas, shown, "Fine.")
    await rate(jonas, house.titles, TitleId("MOVIE", "603"), rating=7, review="Quite a ride.")
    hangout = await create_hangout(
        maya, HangoutDraft(title="Picnic", visibility="INVITE_ONLY", is_on=True)
    )
    opened = {"is_open": True, "shows_people": True}
    link = await mayas.put(f"{V1}/hangouts/{hangout.hangout_id}/guest-link", json=opened)
    token = link.json()["path"].rpartition("/")[2]
    return [
        *("/", "/watchlists", f"/lists/{shown}", f"/lists/{shown}/feed.atom", "/films/603"),
        *(f"/h/{token}", f"{V1}/guest-links/{token}", f"{V1}/watchlists/{shown}"),
        *(f"{V1}/watchlists", f"{V1}/watchlists/{shown}/comments"),
        f"{V1}/titles/films/603/reviews",
    ]


async def walk(client: AsyncClient, starts: Iterable[str]) -> dict[str, str]:
    """What is read from these addresses on, by address."""
    waiting, read = list(starts), dict[str, str]()
    while waiting and len(read) < MAX_PAGES:
        path = waiting.pop(0)
        if path in read or path.startswith("/static/"):
            continue
        answered = await client.get(path)
        read[path] = str(answered.headers) + answered.text
        waiting += LINKS.findall(answered.text)
    return read
