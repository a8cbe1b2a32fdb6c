"""A process that is killed in the middle of movie nights leaves no round by halves."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from commonroom.accounts.tables import Ceiling
from commonroom.movienight.rules.rounds import PICKED
from commonroom.movienight.tables import Household
from commonroom.store.embedded import EmbeddedEngine
from tests.movienight.evenings import TABLES, everything_of
from tests.movienight.service.rounds.races.busy import HOUSEHOLDS
from tests.movienight.service.rounds.races.stored_state import Stored
from tests.support.dynamodb_local import ROOT

TIMES = 5


def killed_after(path: Path, lines: int, seconds: float) -> list[list[str]]:
    """What the households said until they were killed, so many lines and a moment after."""
    command = [sys.executable, "-m", "tests.movienight.service.rounds.races.busy", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        time.sleep(seconds)
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().split() for line in said]


async def everything_true(path: Path) -> list[Stored]:
    """What is stored of every household, once it is certain that all of it is true."""
    engine = EmbeddedEngine(path, TABLES)
    try:
        await engine.check_integrity()
        groups = await everything_of(engine, Household)
        households = [await Stored.of(engine, one.group_id) for one in groups]
    finally:
        await engine.close()
    for one in households:
        members = {who for round_ in one.rounds.values() for who in round_.attendees or ()}
        ceilings: dict[str, Ceiling] = dict.fromkeys(members, "R")
        one.check(ceilings)
    return households


def nothing_lost(said: list[list[str]], households: list[Stored]) -> None:
    """Holds what was acknowledged against what is stored."""
    rounds = {one.round_id: one for household in households for one in household.rounds.values()}
    votes = {(one.round_id, one.member_id) for household in households for one in household.votes}
    for what, *facts in said:
        match what:
            case "drafted":
                assert facts[0] in rounds
            case "voted":
                assert tuple(facts) in votes
            case "picked":
                assert rounds[facts[0]].status in PICKED
                assert rounds[facts[0]].pick_id == facts[1]
            case "rated":
                assert rounds[facts[0]].status == "rated"


async def test_a_killed_process_leaves_every_round_whole_and_loses_no_vote(
    tmp_path: Path,
) -> None:
    path, chance = tmp_path / "evenings.db", Random()
    said: list[list[str]] = []
    for _ in range(TIMES):
        said += killed_after(path, HOUSEHOLDS + chance.randrange(60), chance.random() / 50)
        households = await everything_true(path)
        nothing_lost(said, households)

    assert sum(what == "voted" for what, *_ in said) > 10, (
        "so much happened that it meant something"
    )
