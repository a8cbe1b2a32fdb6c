"""The pool of short ids: claiming one together with what it is for, and keeping it stocked."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from commonroom.shareables.errors import TryAgain
from commonroom.shareables.rules.short_ids import new_short_id
from commonroom.shareables.tables.pool import PooledId, available_ids
from commonroom.store import (
    ConditionFailed,
    Entity,
    Store,
    Write,
    create,
    delete,
    equal,
    put,
    unmarked,
)
from commonroom.timers import Timer, timer

P = TypeVar("P", bound=Entity)

FILL = "shareables.fill"
PARTITIONS = 1000
SLOTS = 100
STOCK, LOW = 20, 5
"""How many ids a partition is filled up to, and how few make it ask for more."""
TRIES = 30
EMPTY_BEFORE_FILLING = 3


async def claim(
    store: Store,
    now: float,
    make_page: Callable[[str], P],
    beside: Callable[[P], Sequence[Write]] = lambda _: (),
    *,
    partitions: int = PARTITIONS,
) -> P:
    """Takes an id from the pool and creates its page, in one transaction.

    Another claim of the id fails on the entry; an id that has a page already, however that
    came about, only costs its entry.
    """
    empty = 0
    for _ in range(TRIES):
        partition = secrets.randbelow(partitions)
        entries = await _available(store, partition)
        if not entries:
            empty += 1
            if empty < EMPTY_BEFORE_FILLING:
                continue
            await fill(store, partition)
            entries = await _available(store, partition)
        if entries and (page := await _taken(store, now, entries, make_page, beside)) is not None:
            return page
    raise TryAgain


async def fill(store: Store, partition: int, to: int = STOCK) -> None:
    """Stocks a partition; a concurrent run that did so has done it."""
    used = {entry.slot for entry in await _available(store, partition)}
    missing = [slot for slot in range(SLOTS) if slot not in used][: max(0, to - len(used))]
    if missing:
        with suppress(ConditionFailed), unmarked():
            await store.write(
                *(
                    create(PooledId(partition=partition, slot=slot, id=new_short_id()))
                    for slot in missing
                )
            )


async def fill_when_low(store: Store, waited: Timer, now: float) -> None:  # noqa: ARG001 - any time
    """Stocks a partition of the pool of short ids that a claim found low."""
    await fill(store, int(waited.about["partition"]))


async def _available(store: Store, partition: int) -> list[PooledId]:
    return (await store.page(available_ids(partition=partition), limit=SLOTS)).items


async def _taken(
    store: Store,
    now: float,
    entries: Sequence[PooledId],
    make_page: Callable[[str], P],
    beside: Callable[[P], Sequence[Write]],
) -> P | None:
    # Any of them: all who look at this partition now see one first id.
    entry = secrets.choice(entries)
    page = make_page(entry.id.lower())
    low = len(entries) <= LOW
    try:
        await store.write(
            delete(entry, if_=equal(id=entry.id)),
            create(page),
            *beside(page),
            *([put(timer(FILL, now, {"partition": str(entry.partition)}))] if low else []),
        )
    except ConditionFailed as failed:
        if failed.index > 1:
            raise  # what is written beside it has a reason of its own
        if failed.index == 1:
            with suppress(ConditionFailed), unmarked():
                await store.write(delete(entry, if_=equal(id=entry.id)))
        return None
    return page
