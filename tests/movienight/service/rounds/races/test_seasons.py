"""Whatever a household does, in whatever order and at the same time, its rounds stay true."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.movienight.evenings import TABLES, check_nothing_drifts
from tests.movienight.service.rounds.races.plans import beginnings, seasons
from tests.movienight.service.rounds.races.season import Act, Season
from tests.support.budget import examples
from tests.support.hostile_engine import HostileEngine, Hostility

# An act asks several times: throttled as often as elsewhere, hardly any would ever be done.
HOSTILITY = Hostility(
    lag=6, conflicts=0.2, throttled_reads=0.02, throttled_writes=0.05, lost_answers=0.15
)
SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


async def live(season: Season, moments: list[list[Act]]) -> None:
    """Lets a season pass."""
    for moment in moments:
        await season.pass_(moment)


@settings(max_examples=examples(150), suppress_health_check=SLOW)
@given(beginning=beginnings, moments=seasons)
async def test_rounds_stay_true_in_a_file(beginning: list[Act], moments: list[list[Act]]) -> None:
    clock = Watch()
    with tempfile.TemporaryDirectory() as folder:
        engine = EmbeddedEngine(Path(folder) / "home.db", TABLES, durability="OFF", clock=clock)
        try:
            season = Season(Store(engine), clock)
            await season.begin(beginning)
            await live(season, moments)
            await check_nothing_drifts(Store(engine))
        finally:
            await engine.close()


@settings(max_examples=5, suppress_health_check=SLOW)
@given(beginning=beginnings, moments=seasons)
async def test_rounds_stay_true_in_dynamodb(
    dynamodb: Store, clock: Watch, beginning: list[Act], moments: list[list[Act]]
) -> None:
    season = Season(dynamodb, clock)
    await season.begin(beginning)
    await live(season, moments)
    await check_nothing_drifts(dynamodb)


@settings(max_examples=examples(100), suppress_health_check=SLOW)
@given(beginning=beginnings, moments=seasons)
async def test_rounds_stay_true_on_a_hostile_engine(
    beginning: list[Act], moments: list[list[Act]]
) -> None:
    clock = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "home.db", TABLES, durability="OFF", clock=clock)
        season = Season(Store(calm), clock)
        await season.begin(beginning)
        hostile = await HostileEngine.around(
            calm, TABLES, folder, seed=len(repr(moments)), clock=clock, hostility=HOSTILITY
        )
        season.store = Store(hostile)
        try:
            await live(season, moments)
            await check_nothing_drifts(Store(calm))
        finally:
            await hostile.close()
