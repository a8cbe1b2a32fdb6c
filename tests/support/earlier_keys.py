"""Makes stored things as if a version had stored them that did not know all of their keys."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.store import Entity, Store, put
from commonroom.store.declare.fingerprint import fingerprint
from commonroom.store.engine import AttributeChange, Engine, WriteOperation
from commonroom.store.upgrades.tables import TableState


async def forget_keys(engine: Engine, kind: type[Entity], *names: str) -> None:
    """Takes some keys away from all things of a kind."""
    schema, table = kind.schema, kind.schema.table
    rows = await engine.scan(table, limit=1000)
    for item in filter(schema.matches, rows.items):
        actions = tuple(AttributeChange("remove", name) for name in names)
        await engine.write([WriteOperation("update", table, table.key_of(item), actions=actions)])
    now, known = fingerprint(table), schema.kind or kind.__name__
    fewer = {name: text for name, text in now.entities[known].items() if name not in names}
    earlier = replace(now, entities=now.entities | {known: fewer})
    state = TableState(name=table.name, complete=earlier, complete_version=1)
    await Store(engine).write(put(state))
