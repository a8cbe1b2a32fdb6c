"""The same random steps on both engines, which must give the same results and the same errors."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonroom.store.dynamodb import DynamoSettings
from commonroom.store.engine import Engine
from commonroom.store.values import Item
from tests.support.budget import examples
from tests.support.chaos import (
    FAR,
    LOOK_AROUND,
    Step,
    Taken,
    Wait,
    alike,
    beginnings,
    both_wrong,
    chaos,
    steps,
)
from tests.support.engines import Clock, made_tables, opened
from tests.support.world import fresh


@pytest.fixture(scope="module")
def chaotic(settings: DynamoSettings) -> DynamoSettings:
    """The table of these tests in DynamoDB Local."""
    return made_tables(settings, [chaos])


@pytest.fixture
async def both(
    chaotic: DynamoSettings, tmp_path: Path, clock: Clock
) -> AsyncIterator[tuple[Engine, Engine]]:
    """Both engines, at the same time of day."""
    async with (
        opened(tmp_path / "chaos.db", [chaos], clock) as embedded,
        opened(chaotic, [chaos], clock) as dynamodb,
    ):
        yield embedded, dynamodb


@settings(
    max_examples=examples(70),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(beginning=beginnings, several=st.lists(steps, min_size=5, max_size=15))
async def test_both_engines_give_the_same_results_and_errors(
    both: tuple[Engine, Engine],
    clock: Clock,
    beginning: tuple[Item, ...],
    several: list[Step],
) -> None:
    clock.stopped = FAR - 20
    prefix = fresh()
    embedded, dynamodb = (Taken(engine, prefix) for engine in both)
    for taken in (embedded, dynamodb):
        await taken.begin(beginning)
    for step in [*several, *LOOK_AROUND]:
        if isinstance(step, Wait):
            clock.stopped = step.until
            continue
        ours, theirs = await embedded.take(step), await dynamodb.take(step)
        same = alike(ours, theirs) or both_wrong(step, ours, theirs)
        assert same, f"{step}\nembedded: {ours}\ndynamodb: {theirs}"
