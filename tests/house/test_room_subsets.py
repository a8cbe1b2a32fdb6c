"""A furnished house with some of its rooms switched off: no dead link, no error, no empty part.

The demonstration furnishes all five rooms, so that everything that joins them is stored; then the
house is opened with each room alone and with each one missing, and somebody who lives there follows
every link that they see.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from html import unescape
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient, Response

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User, user_by_email
from commonroom.house.consumers import consumers
from commonroom.house.demo import seed_demo
from commonroom.house.rooms import ROOMS
from commonroom.http.authentication import COOKIE
from commonroom.model import MODEL
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from tests.support.application import whole_application

KEYS = [room.key for room in ROOMS]
SUBSETS = {
    **{f"only {key}": [key] for key in KEYS},
    **{f"without {key}": [one for one in KEYS if one != key] for key in KEYS},
}
MAX_PAGES = 160
"""Of a kind of page a few are enough: there are five hundred films."""
OF_A_KIND = 3
LINK = re.compile(r'(?:href|src|hx-get)="(/[^"#]*)')
SKIPPED = re.compile(r"^/(static|api|docs|calendar|posters|service-worker)|/live$|\.(ics|png|webp)")
EMPTY_PART = re.compile(
    r"<section\b[^>]*>\s*(?:<h[23][^>]*>[^<]*</h[23]>\s*)?(?:<ul[^>]*>\s*</ul>\s*)?</section>"
)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the demonstration in it, and all that follows from it."""
    folder = tmp_path_factory.mktemp("furnished")
    asyncio.run(_furnish(folder))
    return folder


async def _furnish(folder: Path) -> None:
    store = Store(EmbeddedEngine(folder / "house.db", MODEL.tables, durability="OFF"))
    fetcher = Fetcher.for_user_addresses()
    try:
        await seed_demo(store, time.time())
        await Worker(store, consumers(Settings(data=folder), fetcher)).drain()
    finally:
        await fetcher.close()
        await store.close()


@asynccontextmanager
async def opened(furnished: Path, folder: Path, rooms: list[str]) -> AsyncIterator[AsyncClient]:
    """Maya's browser in the same house with these rooms."""
    shutil.copytree(furnished, folder, dirs_exist_ok=True)
    store = Store(EmbeddedEngine(folder / "house.db", MODEL.tables, durability="OFF"))
    settings = Settings(data=folder, hosts="commonroom.test", rooms=",".join(rooms))
    try:
        async with AsyncExitStack() as stack:
            app = whole_application(store, settings)
            client = AsyncClient(
                transport=ASGITransport(app),
                base_url="http://commonroom.test",
                headers={"accept": "text/html"},
            )
            await stack.enter_async_context(client)
            maya: User | None = await store.first(user_by_email(email="maya@home.example"))
            assert maya is not None
            secret = await sessions.open_session(store, time.time(), maya)
            client.cookies.set(COOKIE, secret, domain="commonroom.test")
            yield client
    finally:
        await store.close()


def kind_of(path: str) -> str:
    """Pages of one kind differ in ids alone."""
    plain = path.partition("?")[0]
    return re.sub(
        r"/(?:[0-9a-fA-F-]{16,}|[0-9]+|[A-Za-z0-9_-]{20,}|[A-Z0-9]{4,8})(?=/|$)", "/*", plain
    )


def links_of(answer: Response) -> Iterator[str]:
    """What somebody can follow from a page."""
    for found in LINK.findall(answer.text):
        path = unescape(found)
        if not path.startswith("//") and not SKIPPED.search(path):
            yield path


@pytest.mark.parametrize("rooms", SUBSETS.values(), ids=SUBSETS)
async def test_every_link_leads_somewhere_and_no_part_is_empty(
    furnished: Path, tmp_path: Path, rooms: list[str]
) -> None:
    closed = [room for room in ROOMS if room.key not in rooms]
    seen: dict[str, str] = {}
    wrong: list[str] = []
    async with opened(furnished, tmp_path / "house", rooms) as browser:
        waiting = deque([("/", "the front door"), ("/search?q=the", "search")])
        kinds: dict[str, int] = {}
        while waiting and len(seen) < MAX_PAGES:
            path, source = waiting.popleft()
            kind = kind_of(path)
            if path in seen or kinds.get(kind, 0) >= OF_A_KIND:
                continue
            seen[path], kinds[kind] = source, kinds.get(kind, 0) + 1
            if any(room.holds(path.partition("?")[0]) for room in closed):
                wrong.append(f"{source} leads to {path}, which is switched off")
                continue
            answer = await browser.get(path)
            if answer.status_code >= 400:
                wrong.append(f"{path} (from {source}): {answer.status_code}")
                continue
            if "location" in answer.headers:
                waiting.append((answer.headers["location"], path))
                continue
            wrong += [f"{path}: {part[:120]}" for part in EMPTY_PART.findall(answer.text)]
            waiting.extend((one, path) for one in links_of(answer))
    assert wrong == []
    assert len(seen) > 20
