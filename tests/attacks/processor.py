"""Attacks on the processor: the dearest requests from one address, as others look at pages."""

from __future__ import annotations

import asyncio
import http.client
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from tests.attacks.guessing import ask
from tests.attacks.guests import largest_list

SECONDS = 60
BATCH = 90
"""A little less than one address may have under way."""
ATTACKER = "198.51.100.66"


class Answered:
    """What was answered to some requests."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.waits: list[int] = []
        self.took: list[float] = []

    def add(self, status: int, retry_after: str | None, took: float = 0.0) -> None:
        """Counts a response."""
        self.statuses[status] += 1
        self.took.append(took)
        if status == 429:
            self.waits.append(int(retry_after or 0))

    @property
    def asked(self) -> int:
        """How many there were."""
        return self.statuses.total()

    @property
    def median_ms(self) -> int:
        """How long one of them took."""
        return round(statistics.median(self.took) * 1000)


async def dear_requests(
    host: str, port: int, owner: dict[str, str], *, waves: int = 5
) -> dict[str, Any]:
    """Asks for the largest page that a guest can make, as often at once as one address can.

    Meanwhile others ask for a page, each from an address of their own, the owner from behind the
    attacker's, and a program for the health.
    """
    known = {"email": owner["email"], "password": owner["password"]}
    _, cookies, _ = ask(host, port, "/session", known, address="203.0.113.250")
    signed_in = "; ".join(f"{name}={value}" for name, value in cookies.items())
    _, _, made = ask(host, port, "/shareables/checklists", largest_list(), address=ATTACKER)
    dear = f"/s/{made['page']['short_id']}"
    attacker, others, owners, health = Answered(), Answered(), Answered(), Answered()

    async def get(into: Answered, path: str, address: str, cookie: str = "") -> None:
        into.add(*await _get(host, port, path, address, cookie))

    for wave in range(waves):
        async with asyncio.TaskGroup() as asking:
            for number in range(BATCH):
                asking.create_task(get(attacker, dear, ATTACKER))
                if number % 9 == 0:
                    address = f"203.0.113.{wave * 20 + number // 9}"
                    asking.create_task(get(others, "/sign-in", address))
                    asking.create_task(get(owners, "/me", ATTACKER, signed_in))
                    asking.create_task(get(health, "/health/live", ATTACKER))
    return {
        "asked": waves * BATCH,
        "answered": attacker.statuses[200],
        "told to wait": attacker.statuses[429],
        "for at least seconds": min(attacker.waits, default=0),
        "pages of others": dict(others.statuses),
        "of the owner behind the same address": dict(owners.statuses),
        "/health/live": dict(health.statuses),
    }


async def keep_asking(
    host: str, port: int, *, each_second: int = 10, seconds: int = 20
) -> dict[str, Any]:
    """Asks for the dearest page so often a second from one address, as another asks for a page.

    The other asks four times a second, first alone and then beside the attacker.
    """
    _, _, made = ask(host, port, "/shareables/checklists", largest_list(), address=ATTACKER)
    dear = f"/s/{made['page']['short_id']}"
    attacker, alone, beside = Answered(), Answered(), Answered()
    look = partial(_get, host, port, "/sign-in", "203.0.113.7", "")
    await _ask_on(alone, look, 4, seconds)
    async with asyncio.TaskGroup() as asking:
        attack = partial(_get, host, port, dear, ATTACKER, "")
        asking.create_task(_ask_on(attacker, attack, each_second, seconds))
        asking.create_task(_ask_on(beside, look, 4, seconds))
    return {
        "asked": attacker.asked,
        "answered": attacker.statuses[200],
        "told to wait": attacker.statuses[429],
        "another address’s page": dict(beside.statuses),
        "median ms of it alone": alone.median_ms,
        "median ms of it meanwhile": beside.median_ms,
        "slowest ms of it meanwhile": round(max(beside.took) * 1000),
    }


async def _ask_on(
    into: Answered,
    get: Callable[[], Awaitable[tuple[int, str | None]]],
    each_second: int,
    seconds: int,
) -> None:
    """Asks so often a second, whether or not what was asked before is answered."""

    async def one() -> None:
        began = time.monotonic()
        status, retry_after = await get()
        into.add(status, retry_after, time.monotonic() - began)

    async with asyncio.TaskGroup() as asking:
        for _ in range(each_second * seconds):
            asking.create_task(one())
            await asyncio.sleep(1 / each_second)


async def _get(
    host: str, port: int, path: str, address: str, cookie: str
) -> tuple[int, str | None]:
    """Asks on a connection of its own: the status, and for how long to wait."""
    reader, writer = await asyncio.open_connection(host, port)
    head = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\nAccept: text/html\r\n"
    )
    shown = f"Cookie: {cookie}\r\n" if cookie else ""
    try:
        writer.write(f"{head}{shown}X-Forwarded-For: {address}\r\n\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), SECONDS)
    finally:
        writer.close()
    status_line, *lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (one.partition(": ") for one in lines)}
    return int(status_line.split()[1]), headers.get("retry-after")


def calendar_files(host: str, port: int, *, number: int = 200) -> dict[str, Any]:
    """Makes an event of a century whose description is costly, and asks for its calendar file."""
    today = datetime.now(UTC)
    event = {
        "name": "Party",
        "time_zone": "Europe/Berlin",
        "start_time": (today - timedelta(days=99 * 365)).isoformat(),
        "end_time": (today + timedelta(days=700)).isoformat(),
        "description": "[a](https://example.org) " * 390,
        "confirm_past": True,
    }
    _, _, made = ask(host, port, "/shareables/events", event)
    path = f"/s/{made['page']['short_id']}/event.ics"
    answered, largest = Answered(), 0
    with closing(http.client.HTTPConnection(host, port, timeout=SECONDS)) as connection:
        for _ in range(number):
            connection.request("GET", path)
            response = connection.getresponse()
            largest = max(largest, len(response.read()))
            answered.add(response.status, response.headers["Retry-After"])
    return {
        "asked": number,
        "given": answered.statuses[200],
        "told to wait": answered.statuses[429],
        "largest bytes": largest,
    }


def api_documents(
    host: str, port: int, cpu_seconds: Callable[[], float], *, number: int = 200
) -> dict[str, Any]:
    """Asks for the API's documents over and over; who has them asks whether they have changed."""
    figures: dict[str, Any] = {"asked for each": number}
    with closing(http.client.HTTPConnection(host, port, timeout=SECONDS)) as connection:

        def get(path: str, **headers: str) -> tuple[int, str, int]:
            connection.request("GET", path, headers={"Accept-Encoding": "gzip", **headers})
            response = connection.getresponse()
            return response.status, response.headers["ETag"], len(response.read())

        for path in ("/docs", "/openapi.json"):
            _, tag, size = get(path)
            before = cpu_seconds()
            given = Counter(get(path)[0] for _ in range(number))
            took = cpu_seconds() - before
            again = get(path, **{"If-None-Match": tag})
            figures[path] = {
                "answered": dict(given),
                "bytes sent": size,
                "cpu ms for each": round(took / number * 1000, 1),
                "known to the browser": again[0],
            }
    return figures
