"""The whole application with pages in it, and browsers that visit them."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from httpx import ASGITransport, AsyncClient

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.http.authentication import ACTING_COOKIE, COOKIE
from commonroom.http.live_topics import Live
from commonroom.moments import iso
from commonroom.settings import Settings, secrets_of
from commonroom.shareables.pages import shareables_pages
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.create import Created, Passcodes
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.service.gate import P, PageAccess, ShareableVisitor, of_kind, open_page
from commonroom.shareables.service.passes import PURPOSE, Passes
from commonroom.store import Store, counting, create
from tests.accounts.api.calling import Calling
from tests.shareables.furniture import ADMIN, SHOPPING, VIEW, create_page_with
from tests.support.pages import Browser, pages_of

DAY = 24 * 3600.0
HOST = "house.example"


class Site:
    """An installation where pages are made and visited."""

    def __init__(self, store: Store, folder: Path, stack: AsyncExitStack) -> None:
        self.store, self._stack, self.app = store, stack, pages_of(shareables_pages)
        settings = Settings(data=folder)
        self.passes = Passes(secrets_of(settings).derived(PURPOSE))
        for name in ("caller_cache", "passes"):
            self.app.state.pop(name, None)  # whom and what it knew in the house before
        self.app.state.update(store=store, settings=settings, live=Live(store))

    async def browser(
        self,
        person: User | None = None,
        acting_as: User | None = None,
        *,
        https: bool = False,
        address: str = "",
    ) -> Browser:
        """Somebody's browser; nobody's where none is named."""
        client = AsyncClient(
            transport=ASGITransport(self.app, client=(address or str(uuid4()), 1)),
            base_url=f"http{'s' if https else ''}://{HOST}",
            headers={"accept": "text/html"},
        )
        if person is not None:
            secret = await sessions.open_session(self.store, time.time(), person)
            client.cookies.set(COOKIE, secret, domain=HOST)
        if acting_as is not None:
            client.cookies.set(ACTING_COOKIE, acting_as.user_id, domain=HOST)
        return Browser(await self._stack.enter_async_context(client))

    async def somebody(self, name: str = "Kim", **fields: Any) -> User:
        """Somebody with an account."""
        user = User(
            user_id=str(uuid4()),
            email=f"{uuid4()}@example.org",
            display_name=name,
            created_at=iso(time.time()),
            **fields,
        )
        await self.store.write(create(user))
        return user

    async def made(
        self, typed: Typed = SHOPPING, *, ago: float = 0, protected: bool = False, **options: Any
    ) -> Created:
        """A new page, or one that was made a while ago."""
        if protected:
            options = {"passcodes": Passcodes(VIEW, ADMIN)} | options
        now = time.time() - ago
        visitor = ShareableVisitor(self.store, self.passes, now, address=str(uuid4()))
        return await create_page_with(visitor, typed, **options)

    async def opened(self, made: Created, kind: type[P]) -> PageAccess[P]:
        """A page as it is now, opened to its creator."""
        visitor = ShareableVisitor(self.store, self.passes, time.time(), tokens=(made.token,))
        return of_kind(await open_page(visitor, made.page.short_id, want="admin"), kind)


def at(made: Created, below: str = "") -> str:
    """The address of a page, or of something below it."""
    return address_of(made.page.short_id) + below


async def requests_for(browser: Browser, path: str) -> int:
    """How many requests to the store a page takes, once it is known who asks."""
    for _ in range(2):  # after the first visit to a room it is noted that they were there
        await browser.get(path)
    with counting() as tally:
        assert (await browser.get(path)).status_code == 200
    return tally.requests


def signed(answer: httpx.Response) -> str:
    """The sign of what a page shows."""
    found = re.search(r'<live-part[^>]* version="(\w+)"', answer.text)
    assert found, "the page is not live"
    return found[1]


@asynccontextmanager
async def listening(
    site: Site | Calling, path: str, cookies: str = ""
) -> AsyncIterator[Callable[[], Awaitable[str]]]:
    """What a page that is open hears, one sign after the other."""
    heard: asyncio.Queue[str] = asyncio.Queue()
    gone = asyncio.Event()

    async def receive() -> Any:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        for line in message.get("body", b"").decode().splitlines():
            if line.startswith("data: "):
                heard.put_nowait(line.removeprefix("data: "))

    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", HOST.encode()), (b"cookie", cookies.encode())],
        "client": ("127.0.0.1", 1),
        "server": (HOST, 80),
    }
    stream = asyncio.create_task(site.app(scope, receive, send))
    try:
        yield heard.get
    finally:
        gone.set()
        await stream
