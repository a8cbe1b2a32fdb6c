"""A house in which everybody types what attackers type: every page shows it, and none obeys it."""

from __future__ import annotations

import re
import time
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

from httpx import ASGITransport, AsyncClient

from commonroom.accounts.service import sessions
from commonroom.house.demo import seed_demo
from commonroom.house.rooms import ROOMS
from commonroom.http.authentication import COOKIE
from commonroom.model import model_of
from commonroom.settings import Settings
from commonroom.store import Store
from tests.house.whole import HOST, HTML
from tests.support.application import whole_application
from tests.support.fixtures import store_of_now

store = store_of_now

HOSTILE = "\"'><b onfocus=x>{{ 7*7 }}\u202e/"
TEXTS = {
    "authors", "borrower", "by", "cast", "collectionname", "description", "directors",
    "displayname", "label", "lentto", "libraryname", "location", "name", "note", "overview",
    "ownername", "publisher", "review", "sharedfromname", "summary", "tags", "tickedby", "title",
}  # fmt: skip
"""Attributes in which people type, without underscores and capitals."""
OF_A_KIND = 3
"""How many pages of one kind are looked at."""


def spoiled(name: str, value: Any) -> Any:
    """A stored value with the hostile text at the end of whatever people typed."""
    match value:
        case dict():
            return {key: spoiled(key, one) for key, one in value.items()}
        case list():
            return [spoiled(name, one) for one in value]
        case str() if name.replace("_", "").lower() in TEXTS:
            return value + HOSTILE
    return value


async def spoil(store: Store) -> None:
    for table in model_of(ROOMS).tables:
        keys = {attribute.name for attribute in table.key}
        found = (await store.engine.scan(table, limit=5000)).items
        changed = [
            {name: one if name in keys else spoiled(name, one) for name, one in item.items()}
            for item in found
        ]
        await store.engine.load(table, changed)


async def walk(browser: AsyncClient, *more: str) -> dict[str, str]:
    """Some pages of every kind that links lead to, by address."""
    pages: dict[str, str] = {}
    kinds: Counter[str] = Counter()
    begin = ["/", "/library/search?q=the", "/movie-night/films?q=the", "/nowhere", "/offline"]
    waiting = [*more, *begin]
    for address in waiting:
        kind = re.sub(r"[0-9A-Za-z-]{20,}|[A-Z]{3}-[A-Z]{3}-\d+|\d+|=[^&]*", "*", address)
        if kinds[kind] == OF_A_KIND or address in pages or not re.match("/(?!static)", address):
            continue
        kinds[kind] += 1
        answer = await browser.get(address, follow_redirects=True)
        assert answer.status_code < 500, address
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        pages[address] = answer.text
        path = address.partition("?")[0]
        links = [unescape(link) for link in re.findall(r'href="([^"#]+)', answer.text)]
        waiting += [f"{path}{link}" if link.startswith("?") else link for link in links]
    return pages


async def test_whatever_people_type_is_shown_as_text_on_every_page(
    store: Store, tmp_path: Path
) -> None:
    people = await seed_demo(store, time.time())
    await spoil(store)
    maya = await store.get(people.maya.ref)
    assert maya is not None
    app: Any = whole_application(store, Settings(data=tmp_path, hosts=HOST))
    address = f"http://{HOST}"
    async with AsyncClient(transport=ASGITransport(app), base_url=address, headers=HTML) as browser:
        session = await sessions.open_session(store, time.time(), maya)
        browser.cookies.set(COOKIE, session, domain=HOST)
        pages = await walk(browser)
    assert len(pages) > 80
    for where, page in pages.items():
        assert "<b " not in page, where
        for tag in re.findall(r"<[a-zA-Z][^>]*>", page):
            assert not re.search(r"\sonfocus\s*=", re.sub(r'"[^"]*"', "", tag)), (where, tag)
    shown = [where for where, page in pages.items() if HOSTILE in unescape(page)]
    assert len(shown) > len(pages) * 0.9, set(pages) - set(shown)
