"""A process that is killed while it makes or changes a series leaves the rest to the next one."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import date, timedelta
from pathlib import Path
from random import Random

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.series import change_following, set_repetition
from commonroom.hangouts.tables import Hangout, Repetition, Rsvp, Series
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    TABLES,
    check_hangouts,
    everything_of,
    group_of,
    hangout_of,
    somebody,
    starts_in,
)
from tests.support.dynamodb_local import ROOT

KILLS = 2
NUMBER = 120
DAILY = Repetition(frequency="DAILY", times=NUMBER)


async def furnished(path: Path) -> User:
    """A daily series that nobody has gone on with; gives its maker."""
    store, clock = Store(EmbeddedEngine(path, TABLES, durability="OFF")), Watch()
    clock.now = time.time()
    ada, ben = [await somebody(store, clock, name) for name in ("Ada", "Ben")]
    group = await group_of(store, clock, ada, ben)
    when = starts_in(clock, 9 * DAY)
    await hangout_of(store, clock, ada, group, title="Games", time=when, repetition=DAILY)
    await store.close()
    return ada


def is_done(path: Path, turn: int, lines: int = 100_000) -> bool:
    """Whether a process was done, unless it was killed after so many lines."""
    command = [sys.executable, "-m", "tests.hangouts.races.busy", str(path), str(turn)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.read().splitlines()
    return any(line.strip() == b"done" for line in said)


async def series_in(path: Path) -> tuple[list[Hangout], Series]:
    """All hangouts by their dates, once it is certain that everything about them is whole."""
    engine = EmbeddedEngine(path, TABLES)
    try:
        await engine.check_integrity()
        await check_hangouts(engine)
        hangouts = await everything_of(engine, Hangout)
        assert len(await everything_of(engine, Rsvp)) >= len(hangouts)
        (series,) = await everything_of(engine, Series)
    finally:
        await engine.close()
    return sorted(hangouts, key=lambda one: one.occurrence or ""), series


async def test_a_series_is_made_and_changed_whole_however_often_it_is_killed(
    tmp_path: Path,
) -> None:
    path, chance, turn = tmp_path / "hangouts.db", Random(), 0
    ada = await furnished(path)

    for _ in range(KILLS):
        assert not is_done(path, turn := turn + 1, 5 + chance.randrange(20))
        made, series = await series_in(path)
        assert made[-1].occurrence == series.made_until, "none is made without being noted"
    assert 1 < len(made) < NUMBER, "it was killed in the middle"
    assert is_done(path, turn := turn + 1)
    made, _ = await series_in(path)
    first = date.fromisoformat(made[0].occurrence or "")
    days = [(first + timedelta(number)).isoformat() for number in range(NUMBER)]
    assert [one.occurrence for one in made] == days

    store = Store(EmbeddedEngine(path, TABLES))
    title = {"title": "Chess"}
    await change_following(Context(store, ada), made[10].hangout_id, title, version=1)
    await store.close()
    for _ in range(KILLS):
        assert not is_done(path, turn := turn + 1, 5 + chance.randrange(20))
    changed, series = await series_in(path)
    assert series.pending is not None
    assert 1 < [one.title for one in changed].count("Chess") < NUMBER - 10
    assert is_done(path, turn := turn + 1)
    changed, series = await series_in(path)
    assert [one.title for one in changed] == ["Games"] * 10 + ["Chess"] * (NUMBER - 10)
    assert {one.version for one in changed} == {1, 2}, "each was changed once"

    store = Store(EmbeddedEngine(path, TABLES))
    await set_repetition(Context(store, ada), made[20].hangout_id, None)
    await store.close()
    assert not is_done(path, turn := turn + 1, 5 + chance.randrange(20))
    assert is_done(path, turn + 1)
    left, series = await series_in(path)
    assert [one.occurrence for one in left] == days[:21]
    assert series.pending is None
