"""Imports: looked up and worked through by timers, and cleared up however they end."""

from __future__ import annotations

from functools import partial

from commonroom.imports.consumers import continuing, import_consumer, import_handlers
from commonroom.timers import ActTimer, Handler
from commonroom.titles.service import Titles
from commonroom.watchlists.service.imports.lifecycle import IMPORTS as KIND
from commonroom.watchlists.service.imports.lifecycle import LOOK_UP
from commonroom.watchlists.service.imports.matching import look_up
from commonroom.watchlists.service.imports.undo import undo_import
from commonroom.watchlists.service.imports.worker import run_import

IMPORTS = import_consumer(KIND)


def handlers(titles: Titles) -> dict[str, Handler]:
    """Returns what timers do for imports."""
    return {
        **import_handlers(KIND, partial(run_import, titles), undo_import),
        LOOK_UP: ActTimer(continuing(KIND, partial(look_up, titles), "arriving"), (KIND.record,)),
    }
