"""Random days on a street: whoever comes, goes and is deleted, all households stay whole."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine
from tests.accounts.people import Watch
from tests.movienight.evenings import TABLES, check_households, check_nothing_drifts, tidied
from tests.movienight.races.neighbourhood import Moment, Neighbourhood, days
from tests.support.budget import examples
from tests.support.hostile_engine import HostileEngine

SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


async def live(engine: Engine, calm: Engine, clock: Watch, day: list[Moment]) -> None:
    """Lets a day pass on an engine, looking after every moment at what is really stored."""
    street = Neighbourhood(Store(calm), clock)
    await street.settle()
    street.store = Store(engine)
    for moment in day:
        await street.pass_(moment)
        await check_households(calm, tidy=False)
        if moment.tidy:
            await tidied(Store(calm), clock)
            await check_households(calm)
    await tidied(Store(calm), clock)
    await check_households(calm)
    await check_nothing_drifts(Store(calm))


@settings(max_examples=examples(80), suppress_health_check=SLOW)
@given(day=days)
async def test_households_stay_whole_in_a_file(day: list[Moment]) -> None:
    clock = Watch()
    with tempfile.TemporaryDirectory() as folder:
        engine = EmbeddedEngine(Path(folder) / "street.db", TABLES, durability="OFF", clock=clock)
        try:
            await live(engine, engine, clock, day)
        finally:
            await engine.close()


@settings(max_examples=4, suppress_health_check=SLOW)
@given(day=days)
async def test_households_stay_whole_in_dynamodb(
    dynamodb: Store, clock: Watch, day: list[Moment]
) -> None:
    await live(dynamodb.engine, dynamodb.engine, clock, day)


@settings(max_examples=examples(40), suppress_health_check=SLOW)
@given(day=days)
async def test_households_stay_whole_on_a_hostile_engine(day: list[Moment]) -> None:
    clock = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "street.db", TABLES, durability="OFF", clock=clock)
        hostile = await HostileEngine.around(calm, TABLES, folder, seed=len(repr(day)), clock=clock)
        try:
            await live(hostile, calm, clock, day)
        finally:
            await hostile.close()
