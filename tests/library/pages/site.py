"""The library's pages over a real engine, and browsers of those who read there."""

from __future__ import annotations

import re
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
from httpx import ASGITransport, AsyncClient

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.catalog.builtin import Catalogue
from commonroom.catalog.service import Titles
from commonroom.house.rooms import ROOMS
from commonroom.library.pages import library_pages
from commonroom.library.service.covers import Covers
from commonroom.library.service.lookup import NoBooks
from commonroom.library.tables import Book, Library, Video
from commonroom.settings import Settings
from commonroom.store import Store, counting
from commonroom.web.authentication import ACTING_COOKIE, COOKIE
from commonroom.web.live_topics import Live
from tests.accounts.people import Watch
from tests.support.pages import Browser, pages_of

ROOM = "/library"


class Site:
    """An installation with libraries in it."""

    def __init__(
        self, store: Store, clock: Watch, folder: Path, stack: AsyncExitStack, **settings: Any
    ) -> None:
        self.store, self.clock, self.app, self._stack = store, clock, pages_of(library_pages), stack
        for name in list(self.app.state):
            del self.app.state[name]  # whatever it knew in the house before
        chosen = Settings(data=folder, book_look_ups=False, **settings)
        covers = Covers.of(chosen)
        stack.push_async_callback(covers.close)
        self.app.state.update(
            rooms=ROOMS,
            store=store,
            settings=chosen,
            live=Live(store),
            titles=Titles(Catalogue()),
            books=NoBooks(),
            covers=covers,
        )

    async def browser(self, person: User | None = None, acting_as: User | None = None) -> Browser:
        """Somebody's browser; nobody's where none is named."""
        # Litestar's own client leaves streams open, and a warning is an error here.
        client = AsyncClient(
            transport=ASGITransport(self.app),  # type: ignore[arg-type] # their scopes differ in name
            base_url="http://house.example",
            headers={"accept": "text/html"},
        )
        if person is not None:
            secret = await sessions.open_session(self.store, time.time(), person)
            client.cookies.set(COOKIE, secret, domain="house.example")
        if acting_as is not None:
            client.cookies.set(ACTING_COOKIE, acting_as.user_id, domain="house.example")
        return Browser(await self._stack.enter_async_context(client))


def shelf(library: Library) -> str:
    """The address of a library."""
    return f"{ROOM}/{library.library_id}"


def place(item: Book | Video) -> str:
    """The address of an item."""
    return f"{ROOM}/{item.library_id}/items/{item.item_id}"


async def requests_for(browser: Browser, path: str) -> int:
    """How many requests to the store a page takes, once it is known who asks."""
    await browser.get(path)
    with counting() as tally:
        answer = await browser.get(path)
    assert answer.status_code == 200, (answer.status_code, path)
    return tally.requests


def has(answer: httpx.Response, id_: str) -> bool:
    """Whether there is an element with an id."""
    return f'id="{id_}"' in answer.text


def part(answer: httpx.Response, id_: str) -> str:
    """What a person reads from an element with an id on, to the end of its section or row."""
    rest = answer.text.partition(f'id="{id_}"')[2].partition(">")[2]
    end = re.search(r"</(section|li)>", rest)
    words = re.sub(r"<svg\b.*?</svg>", " ", rest[: end.start() if end else None], flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", words).split())
