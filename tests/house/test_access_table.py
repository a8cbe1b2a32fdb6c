"""Every route with every kind of caller, compared with the table in this folder: no gap.

`tests.support.who_may` says how to print it anew.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from commonroom.accounts.context import Context
from commonroom.accounts.service import administration, profiles, sessions, signup, tokens
from commonroom.accounts.tables import User
from commonroom.http.application import App
from commonroom.http.live_topics import Live
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.support.application import application, every_route
from tests.support.who_may import WhoMay, send

PASSWORD = "a quiet evening at home"
CALLERS = (
    "guest",
    "person",
    "acting",
    "reader",
    "program",
    "disabled",
    "ended",
    "administrator",
    "its program",
)
"""The last is an administrator's; `reader` and `program` are an ordinary person's."""


class House:
    """An application with one caller of each kind."""

    def __init__(self, store: Store, app: App) -> None:
        self.store = store
        self.app = app

    async def furnish(self) -> None:
        """Makes the people."""
        now = time.time()
        await signup.set_up(self.store, now, self._new("ada"))
        for name in ("ben", "dan"):
            await signup.sign_up(self.store, now, "open", self._new(name))
        ben, dan = await self._person("ben"), await self._person("dan")
        self.child = await profiles.add_managed(Context(self.store, ben, now), display_name="Mia")
        self.disabled_session = await sessions.open_session(self.store, now, dan)
        await administration.disable(self.store, now, dan)
        self.ended_session = await sessions.open_session(self.store, now, ben)
        await sessions.end_all_sessions(self.store, ben)

    async def ask(self, caller: str, method: str, path: str) -> int:
        """The status that a caller is answered with."""
        filled = re.sub(r"\{[^}]*\}", "nothing", path)
        return (await send(self.app, method, filled, headers=await self._shown(caller))).status_code

    async def _shown(self, caller: str) -> dict[str, str]:  # noqa: PLR0911 - one for each caller
        """What a caller shows; made anew each time, since some routes end what was shown."""
        match caller:
            case "person":
                return await self._session("ben")
            case "acting":
                return {**await self._session("ben"), "X-Acting-As-Member": self.child.user_id}
            case "reader":
                return await self._token("ben", "read")
            case "program":
                return await self._token("ben", "read", "write")
            case "disabled":
                return {"Cookie": f"session={self.disabled_session}"}
            case "ended":
                return {"Cookie": f"session={self.ended_session}"}
            case "administrator":
                return await self._session("ada")
            case "its program":
                return await self._token("ada", "read", "write", "admin")
        return {}

    async def _session(self, name: str) -> dict[str, str]:
        person = await self._person(name)
        secret = await sessions.open_session(self.store, time.time(), person)
        return {"Cookie": f"session={secret}"}

    async def _token(self, name: str, *scopes: str) -> dict[str, str]:
        person = await self._person(name)
        _, secret = await tokens.make_token(
            Context(self.store, person, time.time()),
            name="program",
            scopes=list(scopes),  # type: ignore[arg-type] # scopes, as written above
        )
        return {"Authorization": f"Bearer {secret}"}

    async def _person(self, name: str) -> User:
        return await administration.person_with(self.store, f"{name}@example.org")

    @staticmethod
    def _new(name: str) -> signup.NewAccount:
        return signup.NewAccount(f"{name}@example.org", name.title(), PASSWORD)


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[House]:
    """A furnished house."""
    store = Store(EmbeddedEngine(folder / "house.db", MODEL.tables, durability="OFF"))
    live = Live(store)
    live.close()  # streams end at once: whether they are given is all that is asked here
    app = application(store, Settings(data=folder), live)
    made = House(store, app)
    await made.furnish()
    try:
        yield made
    finally:
        await store.close()


def yes_or_refusal(status: int) -> str:
    """`yes`, 401 or 403: anything else is said to somebody who may ask."""
    return str(status) if status in (401, 403) else "yes"


TABLE = WhoMay(
    Path(__file__).with_name("access.txt"),
    callers=CALLERS,
    routes=[route for route in every_route() if route[0] != "HEAD"],
    house=house,
    cell=yes_or_refusal,
)


def test_the_table_has_every_route() -> None:
    TABLE.check_nothing_is_missing()


@TABLE.each_caller
async def test_every_route_answers_a_caller_as_the_table_says(tmp_path: Path, caller: str) -> None:
    async with house(tmp_path) as here:
        await TABLE.ask_everything(here, caller)
