"""The figures of docs/scale.md, counted anew: `python -m benchmarks.load` writes them there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.capacity import Usage, metered_engine
from benchmarks.counting import STREAMS, WORKER
from benchmarks.documents import PART, with_parts
from benchmarks.households import (
    Copies,
    Template,
    furnish,
    furnish_house,
    make_template,
    opened_house,
    settings,
)
from benchmarks.load import count, report, simulate
from benchmarks.month import MONTH, Measured, Player
from benchmarks.scale_document import counted_parts
from commonroom.house.consumers import consumers
from commonroom.model import MODEL
from commonroom.outgoing.fetcher import Fetcher
from commonroom.store import Store
from tests.support.wire_counter import counting_wire

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
HOUSEHOLDS, VOTERS = 20, 40


@pytest.fixture
async def template(tmp_path: Path) -> Template:
    return await make_template(tmp_path)


async def test_the_page_has_the_figures_that_are_counted_now(
    empty_dynamodb: str, tmp_path: Path, template: Template
) -> None:
    costs = await count(empty_dynamodb, tmp_path, template, HOUSEHOLDS)
    page = PAGE.read_text()
    assert costs.keys() == {*MONTH, WORKER}
    anew = with_parts(page, counted_parts(costs, template))
    assert anew == page, "python -m benchmarks.load --only-count --document docs/scale.md"


def test_the_page_has_every_part() -> None:
    parts = {part[2] for part in PART.finditer(PAGE.read_text())}
    assert parts == {"prices", "counted", "dollars", "simulation"}


def test_as_many_streams_are_paid_for_as_consumers_follow(tmp_path: Path) -> None:
    everybody = consumers(settings(tmp_path), Fetcher())
    assert len({table.name for one in everybody for table in one.tables}) == STREAMS


async def test_every_request_at_the_wire_is_counted(
    empty_dynamodb: str, tmp_path: Path, template: Template
) -> None:
    copies, measured, usage = Copies(template), Measured(), Usage()
    async with counting_wire(empty_dynamodb) as wire, metered_engine(wire.endpoint) as engine:
        await engine.create_tables(MODEL.tables)
        await furnish_house(engine)
        await furnish(engine, copies, [1], lively=True)
        wire.requests.clear()
        async with opened_house(Store(engine), tmp_path) as app:
            await Player(app, copies.household(1), measured).play()
    for usages in measured.usage.values():
        for one in usages:
            usage.add(one)
    # A transaction is measured by a batch before it and, where it succeeds, another after it.
    own = 2 * usage.requests["TransactWriteItems"] - usage.failed_conditions
    assert wire.requests == usage.requests + Counter(BatchGetItem=own)


async def test_requests_stay_the_same_however_many_households_there_are(
    empty_dynamodb: str, tmp_path: Path, template: Template
) -> None:
    said: list[str] = []
    load = await simulate(
        empty_dynamodb, tmp_path, template, HOUSEHOLDS, voters=VOTERS, say=said.append
    )
    crowd, evening, *others = load.scenes
    assert load.changed == []
    assert crowd.done == VOTERS, "every vote was counted"
    assert crowd.usage.overlaps > 0
    assert evening.usage.overlaps > 0
    assert all(one.done and not one.usage.throttled for one in load.scenes)
    assert len(others) == 2
    assert f"with {HOUSEHOLDS}" in report(load)
