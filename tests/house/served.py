"""The whole house on a real server on loopback, in a thread of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any, TypeVar

from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions, tokens
from commonroom.accounts.tables import Attempts, User, accounts
from commonroom.catalog.builtin import Catalogue
from commonroom.house.app import create_app
from commonroom.house.server import web_server
from commonroom.library.service import libraries
from commonroom.library.service.collections import create_collection
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library
from commonroom.library.tables import Book
from commonroom.model import MODEL
from commonroom.movienight.service import households, preferences
from commonroom.movienight.service.rounds import lifecycle
from commonroom.movienight.service.seats import Seat, find_seat
from commonroom.settings import Settings
from commonroom.shareables.rules.limits import Limits
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.service.gate import Visitor
from commonroom.shareables.service.passes import Passes
from commonroom.store import Store, delete
from commonroom.store.embedded import EmbeddedEngine
from commonroom.web.authentication import COOKIE
from commonroom.web.live_topics import Live
from tests.shareables.furniture import NEXT_BIRTHDAY, SHOPPING, SUMMER
from tests.support.context import at
from tests.support.mail import Mailbox, mailbox
from tests.web.api.calling import first, someone

T = TypeVar("T")


class Served:
    """A server, and its administrator."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ready = threading.Event()
        self._shown: dict[str, dict[str, str]] = {}
        self._found: dict[str, str] | None = None
        self._typed: Iterator[Typed] = cycle((SHOPPING, NEXT_BIRTHDAY, SUMMER))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port: int = found.getsockname()[1]

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serves, once it has its first account."""
        self._thread.start()
        self._ready.wait(60)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise TimeoutError("The server does not answer.")

    def stop(self) -> None:
        """Stops serving."""
        self._loop.call_soon_threadsafe(self._server.stop)
        self._thread.join(60)

    def headers(self, caller: str) -> dict[str, str]:
        """What a caller shows."""
        if caller not in self._shown:
            self._shown[caller] = self._headers(caller)
        return self._shown[caller]

    def furnish_anew(self) -> None:
        """Makes what was there, and what callers show, anew: it was changed, or is gone."""
        self._shown.clear()
        self._found = None

    def forget_attempts(self) -> None:
        """Lets everybody try again."""
        self._run(self._forget_attempts)

    def places(self) -> dict[str, str]:
        """What is there to be asked for: by the name in an address."""
        if self._found is None:
            self._found = self._run(self._places)
        return self._found

    def _headers(self, caller: str) -> dict[str, str]:
        if caller == "browser":
            return {"Cookie": f"{COOKIE}={self._run(self._session)}"}
        if caller == "program":
            return {"Authorization": f"Bearer {self._run(self._token)}"}
        return {}

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._store = Store(EmbeddedEngine(self._file, MODEL.tables, durability="OFF"))
        self._ada = await first(self._store, "Ada")
        await someone(self._store, "Ben")
        async with mailbox() as box:
            await self._serve_with(box)
        await self._store.close()

    async def _serve_with(self, box: Mailbox) -> None:
        settings = Settings(
            data=self._file.parent,
            port=self.port,
            log_level="error",
            mail_server=box.address,
            mail_from="commonroom@home.example",
        )
        self._server = web_server(create_app(self._store, settings, Live(self._store)), settings)
        self._ready.set()
        await self._server.serve()

    async def _person(self) -> User:
        found = await self._store.get(self._ada.ref)
        assert found is not None
        return found

    async def _places(self) -> dict[str, str]:
        """Ada's household, the round in it that is voted on, a page of hers, and a library."""
        seat = await self._seat()
        if seat is None:
            ada = await self._person()
            await households.create_household(Context(self._store, ada, time.time()), name="Home")
            return await self._places()
        if seat.group.open_round_id is None:
            await preferences.set_preferences(
                at(self._store, time.time(), seat),
                seat.member_id,
                likes=["35", "18"],
                dislikes=[],
                ceiling="R",
            )
            made = await lifecycle.create_round(at(self._store, time.time(), seat), Catalogue())
            await lifecycle.start_voting(at(self._store, time.time(), seat), made.round_id)
            return await self._places()
        return {
            "group_id": seat.group_id,
            "round_id": seat.group.open_round_id,
            "member_id": seat.member_id,
            "short_id": await self._page(),
            **await self._shelf(),
        }

    async def _page(self) -> str:
        made = await create_page(
            Visitor(
                self._store,
                Passes(bytes(32)),
                time.time(),
                account_id=self._ada.user_id,
                limits=Limits(account_pages_per_day=1_000_000),
            ),
            next(self._typed),
            expires_after=7,
        )
        return made.page.short_id

    async def _shelf(self) -> dict[str, str]:
        """A library that is shared, with a collection and a book in it."""
        store, now, ada = self._store, time.time(), await self._person()
        library_id = (await create_library(Context(store, ada, now), name="Home")).library_id
        foo = await create_collection(Context(store, ada, now), library_id, name="Foo")
        book = {"title": "Angelo", "collection_id": foo.collection_id}
        kept = await add_item(Context(store, ada, now), library_id, kind=Book, given=book)
        await self._forget_attempts()  # nobody else finds so many people in an hour
        share = await libraries.share(Context(store, ada, now), library_id, "ben@example.org")
        return {
            "library_id": library_id,
            "collection_id": foo.collection_id,
            "item_id": kept.item.item_id,
            "recipient_id": share.shared_to_id,
        }

    async def _seat(self) -> Seat | None:
        ada = await self._person()
        return await find_seat(Context(self._store, ada), ada)

    async def _session(self) -> str:
        return await sessions.open_session(self._store, time.time(), await self._person())

    async def _token(self) -> str:
        _, secret = await tokens.make_token(
            Context(self._store, await self._person(), time.time()),
            name="a program",
            scopes=["read", "write", "admin"],
        )
        return secret

    async def _forget_attempts(self) -> None:
        rows = await self._store.engine.scan(accounts, limit=100_000)
        for row in rows.items:
            if row["kind"] == "ATTEMPTS":
                await self._store.write(delete(Attempts.from_item(row)))

    def _run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(60)


@contextmanager
def serving(file: Path) -> Iterator[Served]:
    """A server for as long as it is needed."""
    served = Served(file)
    served.start()
    try:
        yield served
    finally:
        served.stop()
