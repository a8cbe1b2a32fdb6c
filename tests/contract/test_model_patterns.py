"""Every access pattern of the real model, by name: one request, and it finds what it should."""

from __future__ import annotations

import types
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
import pytest

from commonroom.model import MODEL
from commonroom.store import Entity, Pattern, Ref, Store, counting, put
from commonroom.store.dynamodb import DynamoSettings
from tests.support.dynamodb_local import settings_for
from tests.support.engines import Clock, Place, made_tables, opened
from tests.support.world import fresh

MOMENT = "2026-11-15T20:00:00.000Z"
WHEN = {
    **dict.fromkeys(("at", "time", "deadline", "since"), MOMENT),
    "date": "2026-05-31",
}
BESIDES = {
    "day": "2999-01-01",
    "after": 0,
    "before": 9_999_999_999,
    "shard": "true",
    "first": "0",
    "user_id": "!",
    "last": "~",
    "earliest": 0,
    "latest": 9_999_999_999,
    "since": "!",
}
"""Parameters that are no field: bounds that leave everything in."""


@pytest.fixture(scope="module")
def modelled(dynamodb_local: str, credentials: None) -> DynamoSettings:
    """The real model's tables in DynamoDB Local."""
    where = settings_for(dynamodb_local, f"asked-{fresh()}-")
    return made_tables(where, MODEL.tables)


@pytest.fixture(params=["embedded", "dynamodb"])
def place_of_model(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where either engine has the real model's tables."""
    if request.param == "embedded":
        return tmp_path / "model.db"
    there: DynamoSettings = request.getfixturevalue("modelled")
    return there


@pytest.fixture
async def asked(place_of_model: Place) -> AsyncIterator[Store]:
    """A store of the real model."""
    async with opened(place_of_model, MODEL.tables, Clock()) as engine:
        yield Store(engine)


def sample(kind: Any, name: str) -> Any:
    """A value of a type, with everything optional filled in."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return sample(next(one for one in arguments if one is not type(None)), name)
    if origin is Literal:
        return arguments[0]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind(**samples(kind))
    plain: dict[Any, Any] = {
        str: WHEN.get(name.rpartition("_")[2], f"{name}-x"),
        int: 4_000_000_000,
        float: 1.5,
        bool: True,
        bytes: b"x",
    }
    return plain.get(kind, {} if origin is dict else [])


def samples(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """A value for every field."""
    return {field.name: sample(field.type, field.name) for field in msgspec.structs.fields(kind)}


def thing_for(pattern: Pattern[Any], entity: type[Entity]) -> Entity:
    """A thing that the pattern should find."""
    fields = samples(entity)
    for name in ("owner_id", "user_id", "group_id", "round_id", "hangout_id", "watchlist_id"):
        if isinstance(fields.get(name), str):
            fields[name] = fresh()
    if "aside" in fields:
        fields["aside"] = "aside" in pattern.name
    if "read_at" in fields:
        fields["read_at"] = None
    if "curator_status" in fields:
        fields["curator_status"] = "approved"
    if "floating" in pattern.name:
        fields["start_timestamp"] = None
    if "more than a day" in pattern.name:
        fields["end_timestamp"] += 100_000
    return entity(**fields)


def asks(pattern: Pattern[Any], entity: type[Entity]) -> str:
    return f"{pattern.table.name}: {pattern.name} -> {entity.__name__}"


PAIRS = [(pattern, entity) for pattern in MODEL.patterns for entity in pattern.gives]


@pytest.mark.parametrize("pattern, entity", PAIRS, ids=[asks(*pair) for pair in PAIRS])
async def test_it_finds_its_thing_with_one_request(
    asked: Store, pattern: Pattern[Any], entity: type[Entity]
) -> None:
    thing = thing_for(pattern, entity)
    stored = thing.to_item()
    assert {one.name for one in pattern.key} <= stored.keys(), "the sample is not in this index"
    await asked.write(put(thing))
    named = MODEL.pattern(pattern.name, pattern.table.name)
    besides = {**BESIDES, **stored, "entity_type": entity.schema.kind}
    besides["page"] = stored.get("unread_page")
    if "floating" in pattern.name:
        besides["before"] = "~"
    besides["place"] = "item$" if "before" in pattern.name else "item#"  # the ends of a shelf
    parameters = {
        name: getattr(thing, name) if hasattr(thing, name) else besides[name]
        for name in named.parameters
    }
    with counting() as tally:
        if named.one:
            found = [await asked.get(named(**parameters))]
        else:
            found = (await asked.page(named(**parameters), limit=1000)).items
    assert tally.requests == 1
    assert (thing.ref.key if named.gives_keys else thing) in [
        one.key if isinstance(one, Ref) else one for one in found
    ]
