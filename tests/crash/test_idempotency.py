"""A request with an idempotency key is done once, wherever the process is killed."""

from __future__ import annotations

import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import msgspec
import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service import signup, tokens
from commonroom.accounts.tables import User
from commonroom.http.idempotency_store import UNDER_WAY_SECONDS
from commonroom.shareables.tables import Checklist
from commonroom.store import Entity, Store
from commonroom.store.embedded import EmbeddedEngine
from tests.http.api.killed_at import TABLES, Sent
from tests.shareables.furniture import everything_of
from tests.support.dynamodb_local import ROOT
from tests.support.engines import Clock

MAX_WRITES = 12


@asynccontextmanager
async def opened(path: Path, ahead: float = 0.0) -> AsyncIterator[Store]:
    """The house's data, when that much time has passed."""
    clock = Clock()
    clock.ahead = ahead
    store = Store(EmbeddedEngine(path, TABLES, durability="OFF", clock=clock))
    try:
        yield store
    finally:
        await store.close()


class Killer:
    """Sends requests to the house from processes that are killed."""

    def __init__(self, path: Path, process: subprocess.Popen[str]) -> None:
        self.path, self._process = path, process

    @classmethod
    @contextmanager
    def at(cls, path: Path) -> Iterator[Killer]:
        """One that works on this file."""
        command = [sys.executable, "-m", "tests.http.api.killed_at", str(path)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
            yield cls(path, process)
            assert process.stdin is not None
            process.stdin.close()

    def kills(self, after: int, sent: Sent) -> bool:
        """Whether the request makes so many writes; it is killed after the last of them then."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{after} {msgspec.json.encode(sent).decode()}\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline().strip()
        assert said in ("killed", "ended 0")
        return said == "killed"


def keyed(**headers: str) -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4()), **headers}


async def made(store: Store, kind: type[Entity], name: str) -> int:
    """How many things there are of a name."""
    things = await everything_of(store.engine, kind)
    names = [getattr(one, "display_name", None) or getattr(one, "name", None) for one in things]
    return names.count(name)


class Act(msgspec.Struct, frozen=True):
    """Something that is made by a request."""

    kind: type[Entity]
    path: str
    name_field: str
    more: dict[str, object]
    authorization: str = ""

    def named(self, name: str) -> Sent:
        """The request that makes one of this name."""
        headers = {"Authorization": self.authorization} if self.authorization else {}
        return Sent(self.path, {self.name_field: name, **self.more}, keyed(**headers))


async def check_step(killer: Killer, act: Act, number: int) -> bool:
    """Kills a request at a write and sends it again; whether it was killed at all."""
    name = f"killed after {number}"
    sent = act.named(name)
    if not killer.kills(number, sent):
        return False
    path = killer.path
    async with opened(path) as store:
        before = await made(store, act.kind, name)
        at_once = await sent.to(store)
    assert before in (0, 1)
    async with opened(path, UNDER_WAY_SECONDS + 1) as store:
        again = await sent.to(store)
        assert await made(store, act.kind, name) == 1, f"done twice, or never: {again.text}"
    if before == 0:
        assert at_once.status_code in (201, 409)
        assert again.status_code == 201
    else:
        assert at_once.status_code == again.status_code
        assert again.status_code == 201 or "was carried out" in again.json()["detail"]
    return True


@pytest.mark.parametrize("what", ["a member", "a page of a guest"])
async def test_a_request_is_done_once_whichever_write_it_is_killed_at(
    tmp_path: Path, what: str
) -> None:
    path = tmp_path / "house.db"
    async with opened(path) as store:
        new = signup.NewAccount("ada@example.org", "Ada", "a lamp in the hall")
        ada = await signup.set_up(store, time.time(), new)
        ctx = Context(store, ada, time.time())
        _, secret = await tokens.make_token(ctx, name="program", scopes=["read", "write"])
    if what == "a member":
        act = Act(User, "/api/v1/me/members", "display_name", {}, f"Bearer {secret}")
    else:
        items: list[object] = [{"name": "Bread"}]
        act = Act(Checklist, "/api/v1/shareables/checklists", "name", {"items": items})
    killed_at = 0
    with Killer.at(path) as killer:
        while await check_step(killer, act, killed_at + 1):
            killed_at += 1
            assert killed_at < MAX_WRITES
    assert killed_at >= 3, "the reservation, the deed and the answer are three writes"
