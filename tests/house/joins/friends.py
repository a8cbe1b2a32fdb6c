"""A house with its rooms, in which Ada and Ben plan a hangout that carries things."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.hangouts.service.edits import change_hangout, invite
from commonroom.hangouts.tables import Attachment, EnteredTime, FriendGroup, Hangout, attachments
from commonroom.house.attachments import attachment_consumers
from commonroom.house.checks import all_checks
from commonroom.house.rooms import ROOMS
from commonroom.http.authentication import COOKIE
from commonroom.http.live_topics import Live
from commonroom.model import MODEL
from commonroom.settings import Settings, secrets_of
from commonroom.shareables.service.create import Passcodes, create_page
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.service.gate import Page, PageAccess, ShareableVisitor, open_page
from commonroom.shareables.service.passes import PURPOSE, Passes
from commonroom.store import Store
from commonroom.store.checking import ReportedProblem, check_store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.store import counting
from commonroom.store.streams import Worker
from tests.accounts.api.calling import Calling, Client, first, someone
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, group_of, hangout_of, starts_in
from tests.hangouts.pages.browsing import sent, shown
from tests.shareables.pages.site import listening
from tests.support.application import application

VIEW = "a lamp in the hall"
EVERY_ROOM = Settings().rooms


class Friends:
    """Ada and Ben of one group, Cleo who is invited, and Eve from elsewhere."""

    ada: User
    ben: User
    cleo: User
    eve: User
    group: FriendGroup
    hangout: Hangout

    def __init__(self, store: Store, folder: Path, stack: AsyncExitStack) -> None:
        self.store, self.folder, self._stack = store, folder, stack
        self.clock = Watch()
        self.clock.now = time.time()
        self.passes = Passes(secrets_of(Settings(data=folder)).derived(PURPOSE))
        self.opens(EVERY_ROOM)

    def opens(self, rooms: str) -> None:
        """Lets only these rooms be open from now on."""
        settings = Settings(data=self.folder, rooms=rooms)
        live = Live(self.store, access_seconds=0.05)
        app = application(self.store, settings, live)
        self.calling = Calling(app, self.store, self._stack)

    async def move_in(self) -> None:
        """Makes everybody, and the hangout."""
        self.ada = await first(self.store, "Ada")
        self.ben, self.cleo, self.eve = [
            await someone(self.store, name) for name in ("Ben", "Cleo", "Eve")
        ]
        self.group = await group_of(self.store, self.clock, self.ada, self.ben)
        self.hangout = await self.plans(self.group)

    async def plans(self, *groups: FriendGroup, **given: Any) -> Hangout:
        """One more hangout of Ada's, to which Cleo is invited."""
        soon = starts_in(self.clock, DAY)
        made = await hangout_of(self.store, self.clock, self.ada, *groups, time=soon, **given)
        await invite(self.ctx(self.ada), made.hangout_id, self.cleo.email or "")
        return made

    async def moves_to(self, *, days: int) -> date:
        """The hangout is moved to a day so far from today, at noon in UTC."""
        day = datetime.fromtimestamp(self.clock(), UTC).date() + timedelta(days=days)
        at_noon = EnteredTime(start_time=f"{day}T12:00:00+00:00", time_zone="UTC")
        now = await self.store.get(self.hangout.ref)
        assert now is not None
        self.hangout = await change_hangout(
            self.ctx(self.ada), now.hangout_id, {"time": at_noon}, version=now.version
        )
        return day

    def ctx(self, who: User) -> Context:
        """What services take."""
        return Context(self.store, who, self.clock())

    @property
    def address(self) -> str:
        """Of the hangout."""
        return f"/hangouts/{self.hangout.hangout_id}"

    async def browser(self, who: User) -> Client:
        """Somebody's browser."""
        return await self.calling.browser(who)

    async def page(self, who: User, path: str = "", status: int = 200) -> str:
        """The hangout as somebody sees it, or what lies below it."""
        return await shown(await self.browser(who), self.address + path, status)

    @asynccontextmanager
    async def listening(self, who: User) -> AsyncIterator[Callable[[], Awaitable[str]]]:
        """What an open page of the hangout hears, one version after the other."""
        secret = await sessions.open_session(self.store, time.time(), who)
        path, cookie = f"{self.address}/live", f"{COOKIE}={secret}"
        async with listening(self.calling, path, cookie) as heard:
            yield heard

    async def requests(self, who: User) -> int:
        """How often the hangout's page asks the store, once it is known who asks and looked in."""
        browser, counts = await self.browser(who), []
        for _ in range(4):
            with counting() as counted:
                assert (await browser.get(self.address)).status_code == 200
            counts.append(counted.requests)
        return min(counts)

    async def attach(self, who: User, kind: str, thing_id: str) -> str:
        """Somebody attaches something on the page."""
        form = {"kind": kind, "thing": thing_id}
        return await sent(await self.browser(who), f"{self.address}/attachments", **form)

    async def attached(self) -> list[Attachment]:
        """What is stored, whoever may see it."""
        asked = attachments(hangout_id=self.hangout.hangout_id)
        return [one async for one in self.store.all(asked)]

    async def shares(self, who: User | None, typed: Typed, *, passcode: str | None = VIEW) -> Any:
        """A page of somebody's."""
        visitor = ShareableVisitor(
            self.store,
            self.passes,
            self.clock(),
            account_id=None if who is None else who.user_id,
        )
        made = await create_page(
            visitor, typed, expires_after=30, passcodes=Passcodes(view=passcode)
        )
        return made.page

    async def opened(self, page: Page) -> PageAccess[Any]:
        """A page, opened to whoever made it."""
        visitor = ShareableVisitor(
            self.store, self.passes, self.clock(), account_id=page.created_by
        )
        return await open_page(visitor, page.short_id, want="admin")

    async def follow(self, *more: Any) -> None:
        """Lets consumers follow what happened."""
        followers = [*attachment_consumers(ROOMS), *more]
        await Worker(self.store, followers, clock=self.clock).drain()

    async def drift(self, *, repair: bool = False) -> list[ReportedProblem]:
        """What `commonroom check` finds of the whole house."""
        found: list[ReportedProblem] = []
        await check_store(
            self.store,
            MODEL.tables,
            all_checks(ROOMS),
            repair=repair,
            report=found.append,
            progress=lambda *_: None,
        )
        return found


@asynccontextmanager
async def friends_at(folder: Path) -> AsyncIterator[Friends]:
    """They, at home."""
    store = Store(EmbeddedEngine(folder / "house.db", MODEL.tables, durability="OFF"))
    try:
        async with AsyncExitStack() as stack:
            made = Friends(store, folder, stack)
            await made.move_in()
            yield made
    finally:
        await store.close()
