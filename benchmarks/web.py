"""The server at rest: how soon it answers after its start, what it holds, and what it uses."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from statistics import median

from benchmarks import serving
from benchmarks.report import Comparison, limited
from benchmarks.serving import Serving
from benchmarks.visiting import visitors
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User, users
from commonroom.open_store import open_store
from commonroom.settings import Settings

PARENT = "11111111-2222-4333-8444-555555555555"
PAGE = 50
MEMBERS = "/api/v1/me/members"
ONE = f"{MEMBERS}/managed_{7:032x}"
CALLS = 4800
STARTS = 5
MAX_MILLISECONDS, MAX_MEGABYTES, MAX_PERCENT = 1000, 85, 0.3
IDLE_SECONDS = 30.0


async def compare(folder: Path) -> list[Comparison]:
    """Memory after thousands of signed-in reads, and processor time after that; then starts."""
    settings = Settings(data=folder)
    cookie = f"session={await _furnished(settings)}"
    with serving.ours(folder) as first:
        # It compiles everything, and indexes the films and shows that come with Commonroom.
        await first.first_answer(ONE, cookie)
        await first.idle()
    with serving.ours(folder) as ours:
        await ours.first_answer(ONE, cookie)
        for path in (ONE, f"{MEMBERS}?limit={PAGE}"):
            several = await visitors(ours.port, path, cookie)
            await several.ask(CALLS)
            several.close()
        held = ours.megabytes()
        rows = [await _idle(ours)]
    if held is not None:
        rows.append(
            limited(
                "idle memory",
                "MB",
                held,
                MAX_MEGABYTES,
                1,
                sentence="What the server holds in memory after thousands of reads.",
            )
        )
    return [*rows, await _starts(folder, cookie)]


async def _furnished(settings: Settings) -> str:
    """Fills a data file with a person and those whom they manage; gives their session's secret."""
    at = "2026-05-31T18:00:00.000Z"
    person = User(user_id=PARENT, display_name="Ada", email="ada@example.org", created_at=at)
    managed = [
        User(
            user_id=f"managed_{number:032x}",
            display_name=f"Kim {number}",
            avatar_key="owl",
            is_managed=True,
            parent_user_id=PARENT,
            content_rating_ceiling="PG",
            created_at=at,
            updated_at=at,
        )
        for number in range(PAGE)
    ]
    async with open_store(settings, create=True) as store:
        await store.engine.load(users, [one.to_item() for one in (person, *managed)])
        return await sessions.open_session(store, time.time(), person)


async def _idle(ours: Serving) -> Comparison:
    await ours.idle()
    before = ours.cpu_seconds()
    await asyncio.sleep(IDLE_SECONDS)
    used = (ours.cpu_seconds() - before) / IDLE_SECONDS
    return limited(
        "idle processor",
        "%",
        used * 100,
        MAX_PERCENT,
        1,
        sentence="How much of one core the server uses while nobody asks for anything.",
    )


async def _starts(folder: Path, cookie: str) -> Comparison:
    seconds = []
    for _ in range(STARTS):
        with serving.ours(folder) as started:
            seconds.append(await started.first_answer(ONE, cookie))
    return limited(
        "start to first answer",
        "ms",
        median(seconds) * 1000,
        MAX_MILLISECONDS,
        STARTS,
        sentence="From the command to the first signed-in answer, its byte code kept.",
    )
