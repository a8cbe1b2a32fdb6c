"""The library's pages over a real engine, and browsers of those who read there."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx

from commonroom.accounts.tables import User
from commonroom.house.rooms import ROOMS
from commonroom.http.live_topics import Live
from commonroom.library.pages import library_pages
from commonroom.library.service.lookup import NoBooks
from commonroom.library.tables import Book, Library, Video
from commonroom.outgoing.pictures import FetchedPictures
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from tests.accounts.people import Watch
from tests.support.pages import Browser, open_browser, pages_of

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
        pictures = FetchedPictures.of(chosen)
        stack.push_async_callback(pictures.close)
        self.app.state.update(
            rooms=ROOMS,
            store=store,
            settings=chosen,
            live=Live(store),
            titles=Titles(Catalogue()),
            books=NoBooks(),
            pictures=pictures,
        )

    async def browser(self, person: User | None = None, acting_as: User | None = None) -> Browser:
        """Somebody's browser; nobody's where none is named."""
        return await open_browser(self.app, self.store, self._stack, person, acting_as)


def shelf(library: Library) -> str:
    """The address of a library."""
    return f"{ROOM}/{library.library_id}"


def place(item: Book | Video) -> str:
    """The address of an item."""
    return f"{ROOM}/{item.library_id}/items/{item.item_id}"


def has(answer: httpx.Response, id_: str) -> bool:
    """Whether there is an element with an id."""
    return f'id="{id_}"' in answer.text


def part(answer: httpx.Response, id_: str) -> str:
    """What a person reads from an element with an id on, to the end of its section or row."""
    rest = answer.text.partition(f'id="{id_}"')[2].partition(">")[2]
    end = re.search(r"</(section|li)>", rest)
    words = re.sub(r"<svg\b.*?</svg>", " ", rest[: end.start() if end else None], flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", words).split())
