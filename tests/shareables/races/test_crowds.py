"""Whatever a crowd does with a page, its counts are those of what is there."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.shareables.furniture import TABLES
from tests.shareables.races.crowds import Act, Crowd, Guests, Voters, moments
from tests.support.budget import examples
from tests.support.hostile_engine import HostileEngine, Hostility

# An act asks several times: throttled as often as elsewhere, hardly any would ever be done.
HOSTILITY = Hostility(conflicts=0.2, throttled_reads=0.02, throttled_writes=0.03, lost_answers=0.1)
SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
VOTES, ANSWERS = moments(*Voters.steering), moments(*Guests.steering)


async def in_a_file(kind: type[Crowd], happens: list[list[Act]], *, hostile: bool) -> None:
    """Lets a crowd do all this in a file of its own."""
    clock = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "pages.db", TABLES, durability="OFF", clock=clock)
        try:
            crowd = kind(Store(calm), clock)
            await crowd.begin()
            if hostile:
                seed = len(repr(happens))
                crowd.store = Store(HostileEngine(calm, seed=seed, hostility=HOSTILITY))
            for moment in happens:
                await crowd.pass_(moment)
        finally:
            await calm.close()


@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(happens=VOTES)
async def test_a_tally_is_the_count_of_the_votes(happens: list[list[Act]]) -> None:
    await in_a_file(Voters, happens, hostile=False)


@settings(max_examples=examples(40), suppress_health_check=SLOW)
@given(happens=VOTES)
async def test_a_tally_is_the_count_of_the_votes_on_a_hostile_engine(
    happens: list[list[Act]],
) -> None:
    await in_a_file(Voters, happens, hostile=True)


@settings(max_examples=examples(40), suppress_health_check=SLOW)
@given(happens=ANSWERS)
async def test_an_events_counters_are_the_count_of_the_answers(happens: list[list[Act]]) -> None:
    await in_a_file(Guests, happens, hostile=False)


@settings(max_examples=examples(30), suppress_health_check=SLOW)
@given(happens=ANSWERS)
async def test_an_events_counters_are_the_count_of_the_answers_on_a_hostile_engine(
    happens: list[list[Act]],
) -> None:
    await in_a_file(Guests, happens, hostile=True)


@settings(max_examples=4, suppress_health_check=SLOW)
@given(happens=VOTES)
async def test_a_tally_is_the_count_of_the_votes_in_dynamodb(
    dynamodb: Store, clock: Watch, happens: list[list[Act]]
) -> None:
    crowd = Voters(dynamodb, clock)
    await crowd.begin()
    for moment in happens:
        await crowd.pass_(moment)
