"""Trending: which lists most people saved lately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from commonroom.watchlists.rules.lists import is_discoverable
from commonroom.watchlists.tables import TrendingList, Watchlist

DAYS = 7
MAX_RANKED = 100
MAX_CANDIDATES = 1000
"""How many lists are looked at, where many were saved equally often."""


def day_of(moment: float) -> str:
    """Returns the day of a moment, such as `2026-05-31`, in UTC."""
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def days_until(moment: float, number: int = DAYS) -> list[str]:
    """So many days, the last of them that of the moment."""
    today = datetime.fromtimestamp(moment, UTC).date()
    return [(today - timedelta(days=back)).isoformat() for back in range(number)]


def next_midnight(moment: float) -> float:
    """Returns when the next day begins, in UTC."""
    today = datetime.fromtimestamp(moment, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today + timedelta(days=1)).timestamp()


def candidates(saves: Counter[str]) -> list[tuple[str, int]]:
    """Returns the lists that may be among the first, most saved first."""
    return [(one, number) for one, number in saves.most_common(MAX_CANDIDATES) if number > 0]


def ranked(lists: Iterable[Watchlist], saves: Counter[str]) -> list[TrendingList]:
    """Returns the lists that most people saved; among equals the newest first."""
    shown = [one for one in lists if is_discoverable(one) and one.item_count > 0]
    shown.sort(key=lambda one: one.created_at, reverse=True)
    shown.sort(key=lambda one: saves[one.watchlist_id], reverse=True)
    return [TrendingList(one.watchlist_id, saves[one.watchlist_id]) for one in shown[:MAX_RANKED]]
