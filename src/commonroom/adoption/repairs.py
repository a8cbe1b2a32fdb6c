"""Repairs of an adoption: nothing that came along is taken away before it is set aside."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from commonroom.adoption.set_aside import SetAside
from commonroom.model import MODEL
from commonroom.store import Store, Write
from commonroom.store.checking import Problem
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.engine import WriteOperation

TABLES = {table.name: table for table in MODEL.tables}


class Repairs:
    """Looks at each problem before it is repaired."""

    def __init__(self, store: Store, aside: SetAside, adopted: Collection[Table]) -> None:
        self._store = store
        self._aside = aside
        self._adopted = {table.name for table in adopted}
        self.gives_up = False
        """Whether what no repair fixes is set aside, where it was adopted."""

    async def __call__(self, problem: Problem) -> Problem:
        """Sets aside what goes by a repair, or by giving up."""
        table = TABLES.get(problem.table)
        is_adopted = problem.table in self._adopted
        if self.gives_up and not problem.repair and table is not None and is_adopted:
            gone = WriteOperation("delete", table, problem.key)
            problem = replace(problem, repair=(Write(gone, Entity),))
        places = [
            (one.operation.table, one.operation.key)
            for one in problem.repair
            if one.operation.kind == "delete"
        ]
        for (of, key), item in zip(places, await self._store.engine.batch_get(places), strict=True):
            if item is not None:
                self._aside.add(of.name, key, problem.detail, item)
        if places:
            self._aside.keep()
        return problem
