"""The checks of all rooms, and the repair after consumers have missed changes."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from functools import partial

from commonroom.accounts.checks import checks as account_checks
from commonroom.house.attachments import AttachmentCheck
from commonroom.house.rooms import ROOMS
from commonroom.house.watched_titles import WatchedCheck
from commonroom.joins.rooms import Room
from commonroom.model import model_of
from commonroom.search.checking import check_index
from commonroom.search.indexing import Indexer
from commonroom.store import Store
from commonroom.store.checking import (
    Check,
    CompletenessCheck,
    CopyCheck,
    Grace,
    KeyCheck,
    ReportedProblem,
    repair_store,
)
from commonroom.store.damage import tolerating_damage
from commonroom.store.streams import Consumer
from commonroom.store.streams.progress import ConsumerProgress, ShardStates
from commonroom.timers.scheduler import WAITING_BY_BUCKET

logger = logging.getLogger(__name__)

MAX_DUE = 50
"""How many due timers are looked at: whether there are fewer shows that a worker is running."""


def all_checks(rooms: Sequence[Room]) -> list[Check]:
    """Returns the store's own checks, and those that rooms add to them, such as of counters."""
    orphans = [entity for room in rooms for entity in room.data.checked_orphans]
    of_rooms = [check for room in rooms if room.data.checks for check in room.data.checks()]
    return [
        CompletenessCheck(),
        KeyCheck(),
        CopyCheck(model_of(rooms).copies, orphans),
        *account_checks(),
        *of_rooms,
        WatchedCheck(rooms),
        AttachmentCheck(rooms),
    ]


class HouseProgress(ConsumerProgress):
    """Lets a check wait for consumers and for due timers, to which some of them leave work."""

    async def _read(self) -> tuple[ShardStates, dict[str, int]]:
        places, waiting = await super()._read()
        with tolerating_damage():
            page = await self._store.merged(WAITING_BY_BUCKET, limit=MAX_DUE)
        due = [one.moment for one in page.items if one.moment <= time.time()]
        if due:
            waiting["timers"] = len(due) + int(due[0])
        return places, waiting


async def repair_missed(
    store: Store,
    consumers: Sequence[Consumer],
    rooms: Sequence[Room] = ROOMS,
    indexer: Indexer | None = None,
    everyone: Sequence[Consumer] = (),
) -> None:
    """Checks all data and repairs it: what a consumer leaves undone may be in any table.

    What any consumer at work is about to repair is left to it.
    """
    names = ", ".join(consumer.name for consumer in consumers)
    logger.warning("Checking the data after changes were missed by: %s.", names)
    grace: Grace = HouseProgress(store, everyone or consumers)
    outcome = await repair_store(
        store,
        model_of(rooms).tables,
        all_checks(rooms),
        report=partial(_log, logger),
        progress=lambda *_: None,
        grace=grace,
    )
    if indexer is not None:
        report, grace = partial(_log, logger), ConsumerProgress(store, [indexer.consumer])
        outcome += await check_index(indexer, repair=True, report=report, grace=grace)
    logger.warning("%d of %d problems were repaired.", outcome.repaired, outcome.found)


def _log(to: logging.Logger, problem: ReportedProblem) -> None:
    """Without the key: it may name people, and `commonroom check` shows it."""
    to.info("%s in %s: repaired: %s", problem.check, problem.table, problem.repaired)
