"""Requests arrive in time, and only so many are worked on at a time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from commonroom.errors import Overloaded, RequestTimeout, TooManyRequests
from commonroom.http.asgi import Receive, Scope, Send
from commonroom.http.live_updates import HEADERS
from commonroom.http.request_limits import Slots, limit_requests
from commonroom.settings import Settings

FORM = [(b"content-length", b"10")]
PART: Any = {"type": "http.request", "body": b"12345", "more_body": True}
REST: Any = {"type": "http.request", "body": b"67890", "more_body": False}


class Kitchen:
    """An application that reads a request and is at work until it is told to finish."""

    def __init__(self, **settings: Any) -> None:
        self.app = limit_requests(self._work, Settings(**settings))
        self.done = asyncio.Event()
        self.working = 0
        self.asked: list[asyncio.Task[list[Any]]] = []
        self.failed: Exception | None = None

    async def _work(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            while (await receive()).get("more_body"):
                pass
        except Exception as error:
            self.failed = error
            raise
        headers: Any = HEADERS if scope["path"] == "/live" else []
        start: Any = {"type": "http.response.start", "status": 200, "headers": headers}
        if scope["path"] == "/live":
            await send(start)
        self.working += 1
        await self.done.wait()
        if scope["path"] != "/live":
            await send(start)

    def ask(
        self,
        path: str = "/",
        *parts: Any,
        address: str = "192.0.2.1",
        headers: list[tuple[bytes, bytes]] | None = None,
    ) -> asyncio.Task[list[Any]]:
        """A request, of which these parts arrive; what it is answered."""
        scope: Any = {
            "type": "http",
            "path": path,
            "query_string": b"",
            "headers": headers or [],
            "client": (address, 1),
        }
        self.asked.append(asyncio.create_task(self._asked(scope, iter(parts or (REST,)))))
        return self.asked[-1]

    async def _asked(self, scope: Any, parts: Iterator[Any]) -> list[Any]:
        answer: list[Any] = []

        async def receive() -> Any:
            if (part := next(parts, None)) is None:
                await asyncio.Event().wait()
            return part

        async def send(message: Any) -> None:
            answer.append(message)

        await self.app(scope, receive, send)
        return answer

    async def until_working(self, number: int) -> None:
        """Waits until so many are worked on."""
        while self.working < number:
            for request in self.asked:
                if request.done():
                    request.result()  # one that failed will never be at work
            await asyncio.sleep(0)


async def test_too_many_at_a_time_are_asked_to_come_back() -> None:
    kitchen = Kitchen(most_requests=2)
    held = [kitchen.ask(address=f"192.0.2.{number}") for number in range(2)]
    await kitchen.until_working(2)
    start, body = await kitchen.ask(address="192.0.2.9")
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (503, b"30")
    assert json.loads(body["body"])["title"] == "Commonroom is busy"
    kitchen.done.set()
    assert [(await one)[0]["status"] for one in held] == [200, 200]
    assert (await kitchen.ask())[0]["status"] == 200


async def test_a_person_is_told_so_in_a_sentence() -> None:
    kitchen = Kitchen(most_requests=1)
    held = kitchen.ask()
    await kitchen.until_working(1)
    page = [(b"accept", b"text/html,*/*;q=0.8")]
    start, body = await kitchen.ask(address="192.0.2.9", headers=page)
    assert dict(start["headers"])[b"content-type"].startswith(b"text/plain")
    assert body["body"].endswith(b"Please try again in a moment.")
    kitchen.done.set()
    await held


async def test_one_address_has_a_tenth_of_them() -> None:
    kitchen = Kitchen(most_requests=20)
    held = [kitchen.ask(address="192.0.2.1") for _ in range(2)]
    await kitchen.until_working(2)
    assert (await kitchen.ask(address="192.0.2.1"))[0]["status"] == 429
    held.append(kitchen.ask(address="192.0.2.2"))
    kitchen.done.set()
    assert [(await one)[0]["status"] for one in held] == [200] * 3


async def test_health_is_answered_however_many_there_are() -> None:
    kitchen = Kitchen(most_requests=1)
    held = kitchen.ask()
    await kitchen.until_working(1)
    asked = kitchen.ask("/health/live")
    await kitchen.until_working(2)
    kitchen.done.set()
    assert (await asked)[0]["status"] == 200
    await held


async def test_a_request_that_is_still_arriving_keeps_nobody_out() -> None:
    kitchen = Kitchen(most_requests=1)
    arriving = kitchen.ask("/", PART, headers=FORM)
    await asyncio.sleep(0)
    kitchen.done.set()
    assert (await kitchen.ask())[0]["status"] == 200
    arriving.cancel()
    await asyncio.gather(arriving, return_exceptions=True)


async def test_a_request_that_has_arrived_is_refused_where_there_is_no_room() -> None:
    kitchen = Kitchen(most_requests=1)
    held = kitchen.ask(address="192.0.2.2")
    await kitchen.until_working(1)
    assert (await kitchen.ask("/", PART, REST, headers=FORM))[0]["status"] == 503
    assert isinstance(kitchen.failed, Overloaded), "the application could have said it in its way"
    kitchen.done.set()
    await held


async def test_an_open_page_is_no_work_in_progress() -> None:
    kitchen = Kitchen(most_requests=1)
    live = kitchen.ask("/live")
    await kitchen.until_working(1)
    kitchen.done.set()
    assert (await kitchen.ask())[0]["status"] == 200
    await live


async def test_a_body_that_does_not_arrive_is_too_slow() -> None:
    kitchen = Kitchen(request_timeout=1)
    with pytest.raises(RequestTimeout):
        await kitchen.ask("/", PART, headers=FORM)


def test_a_key_has_its_share_and_others_have_theirs() -> None:
    slots = Slots(10)
    slots.take({"home": 2})
    slots.take({"home": 2})
    with pytest.raises(TooManyRequests):
        slots.take({"home": 2})
    slots.take({"elsewhere": 2})
    assert slots.taken == 3


def test_whoever_is_refused_for_one_key_takes_nothing_of_another() -> None:
    slots = Slots(10)
    slots.take({"ada": 1})
    with pytest.raises(TooManyRequests):
        slots.take({"home": 1, "ada": 1})
    slots.take({"home": 1})
    assert slots.taken == 2


def test_there_are_only_so_many_in_all() -> None:
    slots = Slots(1)
    slots.take({"home": 2})
    with pytest.raises(Overloaded):
        slots.take({"elsewhere": 2})


def test_what_is_given_back_can_be_taken_again() -> None:
    slots = Slots(1)
    for _ in range(3):
        slots.take({"home": 1})
        slots.free({"home": 1})
    assert slots.taken == 0
