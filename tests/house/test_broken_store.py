"""A store that is broken tells strangers so, and neither where it is nor what it is called."""

from __future__ import annotations

import http.client
import json
import re
import resource
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path

import apsw
import pytest
from httpx import AsyncClient, Response

from commonroom.model import MODEL
from commonroom.store.dynamodb.connection import Connection, DynamoSettings
from commonroom.store.dynamodb.engine import DynamoEngine
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine
from tests.house.whole import Whole, whole
from tests.store.dynamodb.standin import fault, standing_in
from tests.support.application import every_route
from tests.support.dynamodb_local import free_port
from tests.support.server import Server, serving

PREFIX = "secret-prefix-"
SIGN_IN = {"email": "ada@example.org", "password": "not the lamp in the hall"}

Break = Callable[[AsyncExitStack, Path], Awaitable[Engine]]


def on_dynamodb(endpoint: str) -> DynamoEngine:
    settings = DynamoSettings(
        "local", prefix=PREFIX, endpoint=endpoint, seconds=0.01, attempt_seconds=5.0
    )
    return DynamoEngine(Connection(settings))


async def unreachable(stack: AsyncExitStack, _folder: Path) -> Engine:
    return await stack.enter_async_context(on_dynamodb(f"http://127.0.0.1:{free_port()}"))


def refusing(code: str, status: int) -> Break:
    async def refuse(stack: AsyncExitStack, _folder: Path) -> Engine:
        standin = await stack.enter_async_context(standing_in())
        standin.answer(*[fault(code, f"at {standin.endpoint}", status)] * 5000)
        return await stack.enter_async_context(on_dynamodb(standin.endpoint))

    return refuse


async def embedded(stack: AsyncExitStack, folder: Path) -> EmbeddedEngine:
    engine = EmbeddedEngine(folder / "house.db", MODEL.tables, durability="OFF")
    stack.push_async_callback(engine.close)
    return engine


async def closed(stack: AsyncExitStack, folder: Path) -> Engine:
    engine = await embedded(stack, folder)
    await engine.close()
    return engine


async def without_tables(stack: AsyncExitStack, folder: Path) -> Engine:
    engine = await embedded(stack, folder)
    with closing(apsw.Connection(str(folder / "house.db"))) as connection:
        for table in MODEL.tables:
            connection.execute(f'DROP TABLE "{table.name}"')
    return engine


async def locked(stack: AsyncExitStack, folder: Path) -> Engine:
    engine = await embedded(stack, folder)
    other = stack.enter_context(closing(apsw.Connection(str(folder / "house.db"))))
    other.execute("BEGIN IMMEDIATE")
    return engine


BROKEN: dict[str, Break] = {
    "unreachable": unreachable,
    "failing": refusing("InternalServerError", 500),
    "throttled": refusing("ThrottlingException", 400),
    "without credentials": refusing("UnrecognizedClientException", 400),
    "without tables on DynamoDB": refusing("ResourceNotFoundException", 400),
    "of something else": refusing("SomethingElse", 400),
    "closed": closed,
    "without tables": without_tables,
    "locked": locked,
}


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Whole]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "secret-key-id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    async with whole(tmp_path) as made:
        yield made


def reveals(answer: Response | str, folder: Path) -> str | None:
    """What an answer tells of where the data is."""
    body = answer if isinstance(answer, str) else answer.text + repr(answer.headers)
    told = re.search(
        rf"{re.escape(str(folder))}|house\.db|commonroom\.db|127\.0\.0\.1:\d|amazonaws|"
        rf"{PREFIX}|secret-key-id|apsw|SELECT |aiohttp",
        body,
    )
    return None if told is None else body[max(0, told.start() - 80) : told.end() + 80]


async def ask_everything(client: AsyncClient) -> list[Response]:
    """Every page and every reading operation there is, and two writes."""
    answers = [
        await client.get(re.sub(r"\{[^}]*\}", "abc", path), timeout=60)
        for method, path in every_route()
        if method == "GET" and "live" not in path and "stream" not in path
    ]
    answers.append(await client.post("/sign-in", data=SIGN_IN))
    answers.append(await client.post("/api/v1/session", json=SIGN_IN))
    return answers


@pytest.mark.parametrize("how", BROKEN)
async def test_no_answer_tells_where_the_data_is(
    house: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    browser = await house.browser()
    program = await house.browser(accept="application/json")
    async with AsyncExitStack() as stack:
        house.store.engine = await BROKEN[how](stack, tmp_path)
        monkeypatch.setattr("commonroom.store.embedded.write_queue.WAIT_SECONDS", 0.02)
        answers = await ask_everything(browser) + await ask_everything(program)

    assert [told for answer in answers if (told := reveals(answer, tmp_path))] == []
    failed = [answer for answer in answers if answer.status_code >= 500]
    assert failed, "it is broken"
    for answer in failed:
        assert answer.status_code != 503 or "Retry-After" in answer.headers


def everything_from(server: Server) -> list[tuple[int, str]]:
    paths = ["/", "/sign-in", "/setup", "/health/ready", "/version", "/api/v1/me", "/p/abc"]
    answers = [(status, body) for status, _, body in map(server.get, paths)]
    return [*answers, sign_in(server)]


def sign_in(server: Server) -> tuple[int, str]:
    """Something that is written down: that it was tried."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection:
        kind = {"Content-Type": "application/json"}
        connection.request("POST", "/api/v1/session", json.dumps(SIGN_IN), kind)
        response = connection.getresponse()
        return response.status, response.read().decode()


def damage(data: Path) -> None:
    """Overwrites everything but the first page."""
    file = data / "commonroom.db"
    with closing(apsw.Connection(str(file))) as connection:
        connection.set_busy_timeout(5000)
        connection.execute("CREATE TABLE anything (x)")  # so that nobody trusts what they cached
        assert list(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")) == [(0, 0, 0)]
    size = file.stat().st_size
    with file.open("r+b") as content:
        content.seek(4096)
        content.write(b"\xa5" * (size - 4096))


def test_a_server_that_cannot_write_is_not_ready_until_it_can(tmp_path: Path) -> None:
    with serving(tmp_path / "house") as server:
        assert server.get("/health/ready")[0] == 200
        unlimited = resource.RLIM_INFINITY
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, unlimited))
        assert sign_in(server)[0] == 503
        status, headers, body = server.get("/health/ready")
        assert (status, headers["retry-after"]) == (503, "5")
        assert json.loads(body) == {"status": "not ready", "detail": "Nothing can be written"}
        assert server.get("/health/live")[0] == 200
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
        while server.get("/health/ready")[0] != 200:  # it is tried once in a few seconds
            time.sleep(0.1)


@pytest.mark.parametrize("how", ["damaged", "full"])
def test_a_real_server_does_not_tell_either(tmp_path: Path, how: str) -> None:
    data = tmp_path / "house"
    with serving(data) as server:
        if how == "full":
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, 4096))
        else:
            damage(data)
        answers = everything_from(server)

    assert [told for _, body in answers if (told := reveals(body, data))] == []
    assert any(status >= 500 for status, _ in answers), "it is broken"
    assert not any("Something went wrong" in body for _, body in answers), "it is the store"
