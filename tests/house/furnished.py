"""The whole house in this process, with something of everything, put back after each change."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path

from msgspec.structs import replace
from requests import Session

from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions, tokens
from commonroom.accounts.tables import User
from commonroom.http.authentication import COOKIE
from commonroom.library.service import libraries
from commonroom.library.service.collections import create_collection
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library
from commonroom.library.tables import Book
from commonroom.model import MODEL
from commonroom.movienight.service import households, preferences
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.rounds import lifecycle
from commonroom.settings import Settings
from commonroom.shareables.rules.limits import USUAL
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passes import Passes
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.titles.builtin import Catalogue
from tests.accounts.api.calling import first, someone
from tests.shareables.furniture import NEXT_BIRTHDAY, SHOPPING, SUMMER
from tests.support.application import whole_application
from tests.support.asgi_adapter import AsgiAdapter
from tests.support.context import at
from tests.support.mail import Mailbox, mailbox
from tests.support.snapshots import Snapshot

ADDRESS = "http://127.0.0.1:8400"


class Furnished:
    """The application over a store in which every request finds the same: what is changed is put
    back before the next."""

    def __init__(self, folder: Path, loop: asyncio.Runner) -> None:
        self._folder = folder
        self._loop = loop
        self.session = Session()
        """Sends requests to the application, and keeps nothing of what it answers."""
        self.session.trust_env = False
        self.session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self.headers: dict[str, dict[str, str]] = {"guest": {}}
        """What each caller shows."""
        self.places: dict[str, str] = {}
        """What is there to be asked for: by the name in an address."""
        self.pages: list[str] = []
        """Short ids of pages, one of each kind."""

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Makes all of it, for as long as it is needed."""
        engine = EmbeddedEngine(self._folder / "api.db", MODEL.tables, durability="OFF")
        self._store = Store(engine)
        self._ada = await first(self._store, "Ada")
        await someone(self._store, "Ben")
        self.places = await self._places()
        self.pages = [await self._page(one) for one in (SHOPPING, NEXT_BIRTHDAY, SUMMER)]
        self.headers["browser"] = {"Cookie": f"{COOKIE}={await self._session()}"}
        self.headers["program"] = {"Authorization": f"Bearer {await self._token()}"}
        snapshot = Snapshot(engine.path)
        async with mailbox() as box:
            app = whole_application(self._store, self._settings(box))
            self.session.mount(ADDRESS, AsgiAdapter(app, self._loop))
            with snapshot.in_use(engine) as restorer:
                self.restore = restorer.restore
                yield
        await self._store.close()

    def _settings(self, box: Mailbox) -> Settings:
        return Settings(
            data=self._folder,
            log_level="error",
            mail_server=box.address,
            mail_from="commonroom@home.example",
        )

    async def _person(self) -> User:
        found = await self._store.get(self._ada.ref)
        assert found is not None
        return found

    async def _places(self) -> dict[str, str]:
        """Ada's household, the round in it that is voted on, and a library."""
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
            **await self._shelf(),
        }

    async def _page(self, typed: Typed) -> str:
        made = await create_page(
            ShareableVisitor(
                self._store,
                Passes(bytes(32)),
                time.time(),
                account_id=self._ada.user_id,
                limits=replace(USUAL, account_pages_per_day=1_000_000),
            ),
            typed,
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
        share = await libraries.share(Context(store, ada, now), library_id, "ben@example.org")
        return {
            "library_id": library_id,
            "collection_id": foo.collection_id,
            "item_id": kept.item.item_id,
            "recipient_id": share.shared_to_id,
        }

    async def _seat(self) -> HouseholdContext | None:
        ada = await self._person()
        return await find_household_context(Context(self._store, ada), ada)

    async def _session(self) -> str:
        return await sessions.open_session(self._store, time.time(), await self._person())

    async def _token(self) -> str:
        _, secret = await tokens.make_token(
            Context(self._store, await self._person(), time.time()),
            name="a program",
            scopes=["read", "write", "admin"],
        )
        return secret


@contextmanager
def furnished(folder: Path) -> Iterator[Furnished]:
    """A furnished house for as long as it is needed."""
    with asyncio.Runner() as loop:
        made = Furnished(folder, loop)
        around = made.opened()
        loop.run(around.__aenter__())
        try:
            yield made
        finally:
            loop.run(around.__aexit__(None, None, None))
