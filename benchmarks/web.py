"""The front door: reads over HTTP against a bare application, its start, and what it holds."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import serving
from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, limited, speed
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
ROUNDS, WARM_UP = 60, 5
STARTS = 5
MOST_MILLISECONDS, MOST_MEGABYTES = 1500, 120


async def compare(folder: Path) -> list[Comparison]:
    """A signed-in read of one thing, and of a page; then how soon ours answers after its start."""
    settings = Settings(data=folder)
    cookie = f"session={await _furnished(settings)}"
    with (
        serving.ours(folder) as ours,
        serving.bare(settings.data_file, PARENT) as bare,
    ):
        await ours.first_answer(ONE, cookie)
        await bare.first_answer(ONE)
        rows = [
            await _compared("one thing", ONE, cookie, ours, bare, calls=480),
            await _compared(
                f"a page of {PAGE}", f"{MEMBERS}?limit={PAGE}", cookie, ours, bare, calls=240
            ),
        ]
        held = ours.megabytes()
    if held is not None:
        rows.append(
            limited(
                "idle memory after that",
                "MB",
                held,
                MOST_MEGABYTES,
                1,
                sentence="What the server holds in memory after it has answered all of these.",
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


async def _compared(
    what: str, path: str, cookie: str, ours: Serving, bare: Serving, *, calls: int
) -> Comparison:
    mine, theirs = await visitors(ours.port, path, cookie), await visitors(bare.port, path)
    assert mine.body == theirs.body
    try:
        taken = await in_turns(
            partial(mine.ask, calls),
            partial(theirs.ask, calls),
            calls=calls,
            rounds=ROUNDS,
            warm_up=WARM_UP,
        )
    finally:
        mine.close()
        theirs.close()
    return speed(
        f"signed-in read of {what} over HTTP",
        *typical(*taken),
        ROUNDS,
        against="a bare application",
        sentence="Somebody who is signed in reads members that they manage, as JSON.",
        at_least=0.5,
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
        MOST_MILLISECONDS,
        STARTS,
        sentence="From the command to the first signed-in answer.",
    )
