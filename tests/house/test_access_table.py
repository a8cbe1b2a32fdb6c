"""Every route with every kind of caller, compared with the table in this folder: no gap.

`python -m tests.house.test_access_table` prints the table as it is; read every line of it before
you put it into `access.txt`.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from httpx import ASGITransport, AsyncClient
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from commonroom.accounts.context import Context
from commonroom.accounts.service import administration, profiles, sessions, signup, tokens
from commonroom.accounts.tables import User
from commonroom.house.app import litestar
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.web.live import Live
from commonroom.web.metrics import Metrics

TABLE = Path(__file__).with_name("access.txt")
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

    def __init__(self, store: Store, app: Litestar) -> None:
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

    async def ask(self, caller: str, method: str, path: str) -> str:
        """What a caller is told: `yes`, 401 or 403."""
        filled = re.sub(r"\{[^}]*\}", "nothing", path)
        transport = ASGITransport(self.app)  # type: ignore[arg-type] # their scopes differ in name
        async with AsyncClient(transport=transport, base_url="http://commonroom.test") as client:
            answer = await client.request(method, filled, headers=await self._shown(caller))
        refused = answer.status_code in (401, 403)
        return str(answer.status_code) if refused else "yes"

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
    app = litestar(store, Settings(data=folder), live, Metrics())
    made = House(store, app)
    await made.furnish()
    try:
        yield made
    finally:
        await store.close()


def routes(app: Litestar) -> Iterator[tuple[str, str]]:
    """Every method and path that the house answers to."""
    found = set()
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler):
                found |= {(route.path, method) for method in handler.http_methods}
    for path, method in sorted(found):
        if method not in ("HEAD", "OPTIONS"):
            yield method, path


async def table(folder: Path) -> list[str]:
    """The whole table, a line for each route."""
    async with house(folder) as here:
        lines = [_line("", "", CALLERS)]
        for method, path in routes(here.app):
            told = [await here.ask(caller, method, path) for caller in CALLERS]
            lines.append(_line(method, path, told))
        return lines


def _line(method: str, path: str, cells: Sequence[str]) -> str:
    listed = "".join(f"{cell:<15}" for cell in cells)
    return f"{method:<8}{path:<88}{listed}".rstrip()


async def test_every_route_answers_every_caller_as_the_table_says(tmp_path: Path) -> None:
    assert await table(tmp_path) == TABLE.read_text().splitlines()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as somewhere:
        print("\n".join(asyncio.run(table(Path(somewhere)))))
