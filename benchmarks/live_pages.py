"""Live pages: thousands of them open at one process, beside silent connections and visitors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks import serving
from benchmarks.report import Comparison, limited
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.shareables.rules.checklists import TypedChecklist, TypedChecklistItem
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.tables import Checklist
from commonroom.store import update
from tests.attacks.connections import Connection, connections, request

PAGES, SILENT = 2000, 500
ROUNDS = 3
SECONDS = 60.0
"""How long anything may take at most."""
HOST = "127.0.0.1"


async def compare(folder: Path, pages: int = PAGES, silent: int = SILENT) -> list[Comparison]:
    """What open pages cost, how soon they hear of a change, and whether others are answered."""
    settings = Settings(data=folder)
    short_id = await _furnished(settings)
    # As behind a proxy, so that each page comes from an address of its own.
    with serving.ours(folder, COMMONROOM_TRUSTED_PROXIES=HOST) as ours:
        await ours.first_answer("/health/live")
        before = ours.megabytes()
        async with _listening(ours.port, f"{address_of(short_id)}/live", pages) as held:
            after = ours.megabytes()
            async with connections(HOST, ours.port, silent):
                heard, health, page = await _changes(settings, ours.port, short_id, held)
    name = f"with {pages:,} live pages and {silent:,} silent connections"
    rows = [
        limited(
            f"a change until all have heard, {name}",
            "ms",
            max(heard) * 1e3,
            2000,
            ROUNDS,
            sentence="From a change of a shared list until the last page that shows it was told.",
        ),
        limited(
            f"/health/live, slowest, {name}",
            "ms",
            max(health) * 1e3,
            1000,
            ROUNDS,
            sentence="Whether the server still says that it lives while it tells all of them.",
        ),
        limited(
            f"a page, slowest, {name}",
            "ms",
            max(page) * 1e3,
            2000,
            ROUNDS,
            sentence="How long a new visitor waits for the page while it tells all of them.",
        ),
    ]
    if before is not None and after is not None:
        rows.append(
            limited(
                "an open live page",
                "KB",
                (after - before) * 1000 / pages,
                64,
                1,
                sentence="How much memory the server needs for one more page that is kept open.",
            )
        )
    return rows


async def _furnished(settings: Settings) -> str:
    """The id of a shopping list that anybody may see."""
    typed = TypedChecklist(
        name="Shopping", items=[TypedChecklistItem(name="Milk")], ticks_shared=True
    )
    async with open_store(settings, create=True) as store:
        made = await create_page(
            ShareableVisitor(store, Passes(bytes(32)), time.time()), typed, expires_after=7
        )
        return made.page.short_id


@asynccontextmanager
async def _listening(port: int, path: str, pages: int) -> AsyncIterator[Sequence[Connection]]:
    """So many pages that have all heard the first version."""
    async with connections(HOST, port, pages) as held:
        for number, (_, writer) in enumerate(held):
            address = f"10.0.{number >> 8}.{number & 255}"
            writer.write(request(path, {"X-Forwarded-For": address}))
        await _all_hear(held)
        yield held


async def _changes(
    settings: Settings, port: int, short_id: str, held: Sequence[Connection]
) -> tuple[list[float], list[float], list[float]]:
    """How many seconds each change, `/health/live` and a page took, while all pages listened."""
    heard: list[float] = []
    health: list[float] = []
    page: list[float] = []
    async with open_store(settings, create=False) as store:
        for number in range(ROUNDS):
            all_hear = asyncio.create_task(_all_hear(held))
            began = time.perf_counter()
            await store.write(update(Checklist.at(short_id=short_id), name=f"List {number}"))
            while not all_hear.done():
                health.append(await _taken(port, "/health/live"))
                page.append(await _taken(port, address_of(short_id)))
                await asyncio.sleep(0.05)
            await all_hear
            heard.append(time.perf_counter() - began)
    return heard, health, page


async def _all_hear(held: Sequence[Connection]) -> None:
    async with asyncio.timeout(SECONDS):
        await asyncio.gather(*(reader.readuntil(b"event: version\n") for reader, _ in held))


async def _taken(port: int, path: str) -> float:
    """How many seconds an answer takes, over a connection of its own."""
    began = time.perf_counter()
    async with asyncio.timeout(SECONDS), connections(HOST, port, 1) as (one,):
        reader, writer = one
        writer.write(request(path, {"Accept": "text/html"}))
        head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200 "):
        raise ConnectionError(f"{path} was answered {head[:50]!r}")
    return time.perf_counter() - began
