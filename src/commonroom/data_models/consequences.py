"""What follows from a write, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from commonroom.data_models.differences import code, joined
from commonroom.house.consequences import Consequence, Consequences, EntityConsequences
from commonroom.store.declare.markdown import grid

INTRODUCTION = """\
## What follows from a write

After an item of an entity is inserted, changed or removed, consumers do what follows, each in order
of the changes of an item. Some copies and timers are part of the write itself. What a consumer sets
and tells includes what its timers set and tell; a test compares that with the code. From the write
of an entity that is not listed nothing follows."""
REST = "The house"
TIMERS = """\
### Timers

What is done at the moment of each kind of timer, and what sets it."""


def consequence_tables(consequences: Consequences, titles: Mapping[str, str]) -> str:
    """Returns a table for each data model, by the titles of their rooms, and one of all timers."""
    parts = [INTRODUCTION]
    named: dict[str, list[EntityConsequences]] = {}
    for one in consequences.follows:
        named.setdefault(titles.get(one.room, REST), []).append(one)
    for title in (*titles.values(), REST):
        if found := named.get(title):
            parts += [f"### {title}: what follows", _table(found)]
    announced = joined(consequences.told_by_acts)
    parts += [TIMERS, _timers(consequences), f"Acts themselves tell people {announced}."]
    return "\n\n".join(parts)


def _table(entities: Sequence[EntityConsequences]) -> str:
    heads = ["a write of", "does", "by", "sets timers", "tells people"]
    return grid(heads, (row for one in entities for row in _rows(one)))


def _rows(entity: EntityConsequences) -> Iterator[list[str]]:
    name = f"**{entity.entity}**"
    for one in entity.consequences:
        yield [name, one.does, _by(one), joined(one.sets), joined(one.tells)]
        name = ""


def _by(one: Consequence) -> str:
    return one.by if " " in one.by else code(one.by)


def _timers(consequences: Consequences) -> str:
    heads = ["timer", "does", "is set by"]
    rows = (
        [code(one.timer), one.does, ", ".join(it if " " in it else code(it) for it in one.set_by)]
        for one in consequences.timers
    )
    return grid(heads, rows)
