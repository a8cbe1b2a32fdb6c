"""A small server on loopback that answers as it is told, for what a real DynamoDB does rarely."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

from commonroom.store.dynamodb import DynamoSettings


@dataclass(frozen=True)
class Answer:
    """What to answer once."""

    body: Any = field(default_factory=dict)
    status: int = 200
    late: float = 0.0
    forward: str | None = None
    """Where to pass the request on to first, so that its work is really done."""
    through: str | None = None
    """Whose answer to give in place of one of our own."""
    after: asyncio.Event | None = None
    """What to wait for before that."""


def fault(code: str, message: str = "", status: int = 400, **more: Any) -> Answer:
    kind = f"com.amazonaws.dynamodb.v20120810#{code}"
    return Answer({"__type": kind, "message": message, **more}, status)


@dataclass
class Request:
    """What was asked."""

    action: str
    payload: dict[str, Any]


class StandIn:
    """Answers in the order given, then with nothing; remembers what it was asked."""

    def __init__(self) -> None:
        self.endpoint = ""
        self.answers: list[Answer] = []
        self.requests: list[Request] = []

    def answer(self, *answers: Answer) -> None:
        self.answers += answers

    def settings(self, **changes: Any) -> DynamoSettings:
        patient = {"seconds": 5.0, "attempt_seconds": 2.0, "connect_seconds": 0.2} | changes
        return DynamoSettings("eu-central-1", endpoint=self.endpoint, **patient)

    async def handle(self, request: web.Request) -> web.Response:
        body = await request.read()
        action = request.headers["X-Amz-Target"].partition(".")[2]
        self.requests.append(Request(action, json.loads(body)))
        answer = self.answers.pop(0) if self.answers else Answer()
        if answer.after is not None:
            await answer.after.wait()
        if answer.forward is not None:
            await _pass_on(answer.forward, request, body)
        if answer.through is not None:
            status, said = await _pass_on(answer.through, request, body)
            return web.Response(status=status, body=said)
        await asyncio.sleep(answer.late)
        content = (
            answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        )
        return web.Response(status=answer.status, body=content)


async def _pass_on(endpoint: str, request: web.Request, body: bytes) -> tuple[int, bytes]:
    names = ("Authorization", "Content-Type", "X-Amz-Date", "X-Amz-Target")
    headers = {name: request.headers[name] for name in names}
    async with (
        aiohttp.ClientSession() as session,
        session.post(endpoint, data=body, headers=headers) as response,
    ):
        return response.status, await response.read()


@asynccontextmanager
async def standing_in() -> AsyncIterator[StandIn]:
    """A stand-in on a free port of loopback."""
    standin = StandIn()
    app = web.Application(client_max_size=2**25)
    app.router.add_post("/", standin.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    standin.endpoint = f"http://{host}:{port}"
    yield standin
    await runner.cleanup()
