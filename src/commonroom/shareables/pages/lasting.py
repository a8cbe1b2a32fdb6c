"""How long a page lasts, beside what it is for."""

from __future__ import annotations

from typing import get_args

from commonroom.moments import seconds
from commonroom.shareables.rules.lifecycle import DAY, Days
from commonroom.shareables.service.gate import Page
from commonroom.shareables.tables import Event, Poll

HOUR = 3600


def outlived_by(page: Page) -> str | None:
    """What comes only after the page is closed: its event, or the end of its vote."""
    match page:
        case Event():
            moment: str | None = page.start_time
        case Poll():
            moment = page.closes_at
        case _:
            moment = None
    return moment if moment is not None and moment > page.expires_at else None


def extensions(now: float, page: Page) -> list[Days]:
    """How many days from now a page could be given: those that are worth a press."""
    all_days: tuple[Days, ...] = get_args(Days)
    return [one for one in all_days if now + one * DAY > seconds(page.expires_at) + HOUR]
