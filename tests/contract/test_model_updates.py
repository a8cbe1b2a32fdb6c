"""Whatever fields of whatever entity an update changes, its keys are those of a thing made anew."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.model import MODEL
from commonroom.store import Entity, Store, put, update
from commonroom.store.dynamodb import DynamoSettings
from commonroom.store.engine import Engine
from commonroom.store.values import same_value
from tests.support.engines import Clock, made_tables, opened
from tests.support.instances import fields, instances

ENTITIES = [entity for table in MODEL.tables for entity in table.entities.values()]
every_entity = pytest.mark.parametrize(
    "entity", ENTITIES, ids=[f"{one.schema.table.name}-{one.__name__}" for one in ENTITIES]
)
unhurried = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture(scope="module")
def modelled(settings: DynamoSettings) -> DynamoSettings:
    """All tables of the model in DynamoDB Local."""
    return made_tables(settings, MODEL.tables)


@pytest.fixture
async def embedded(tmp_path: Path, clock: Clock) -> AsyncIterator[Engine]:
    async with opened(tmp_path / "model.db", MODEL.tables, clock) as engine:
        yield engine


@pytest.fixture
async def dynamodb(modelled: DynamoSettings, clock: Clock) -> AsyncIterator[Engine]:
    async with opened(modelled, MODEL.tables, clock) as engine:
        yield engine


def changes_of(entity: type[Entity]) -> st.SearchStrategy[dict[str, Any]]:
    """New values for some of the fields that an update may change."""
    fixed = {*entity.schema.primary_fields, "version"}
    changeable = {name: made for name, made in fields(entity).items() if name not in fixed}
    return st.fixed_dictionaries({}, optional=changeable)


async def hold_true(engine: Engine, entity: type[Entity], data: st.DataObject) -> None:
    """Stores a random thing, changes some of it, and compares with the same thing made at once."""
    store = Store(engine)
    thing = data.draw(instances(entity), "thing")
    changes = data.draw(changes_of(entity), "changes")
    expected = replace(thing, **changes, **raised(thing, changes))

    await store.write(put(thing))
    await store.write(update(thing, **changes))

    [item] = await engine.batch_get([(entity.schema.table, thing.ref.key)])
    assert same_value(item, expected.to_item())
    assert await store.get(thing.ref) == expected


def raised(thing: Entity, changes: dict[str, Any]) -> dict[str, int]:
    """The version that an update leaves behind: one more, if it changes what is versioned."""
    if not thing.schema.versioned or changes.keys() <= thing.schema.unversioned:
        return {}
    return {"version": getattr(thing, "version", 0) + 1}


@every_entity
@settings(max_examples=15, suppress_health_check=unhurried)
@given(data=st.data())
async def test_on_the_embedded_engine(
    embedded: Engine, entity: type[Entity], data: st.DataObject
) -> None:
    await hold_true(embedded, entity, data)


@every_entity
# Without shrinking, which takes minutes here; the engine above finds the smallest example soon.
@settings(max_examples=4, suppress_health_check=unhurried, phases=[Phase.generate])
@given(data=st.data())
async def test_on_dynamodb(dynamodb: Engine, entity: type[Entity], data: st.DataObject) -> None:
    await hold_true(dynamodb, entity, data)


@every_entity
@settings(max_examples=25)
@given(data=st.data())
def test_what_is_stored_reads_back_as_it_was(entity: type[Entity], data: st.DataObject) -> None:
    thing = data.draw(instances(entity))

    assert entity.from_item(thing.to_item()) == thing
