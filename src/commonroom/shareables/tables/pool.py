"""The pool of short ids."""

from __future__ import annotations

from msgspec import field

from commonroom.store import Entity, Keys, Table, many, number

short_id_pool = Table("ShortIdPool", room="shareables", partition=number("pk"), sort="sk")


class PooledId(Entity, table=short_id_pool):
    """A short id that nobody has claimed yet."""

    partition: int = field(name="pk")
    """0 to 999."""
    slot: int
    id: str
    """As people see it: AAA-AAA-00000."""

    keys = Keys(sk="available#{slot:02d}")


available_ids = many(short_id_pool, "Get available ids of a pool partition", gives=PooledId)
