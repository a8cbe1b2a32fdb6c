"""Which lists most people saved lately."""

from __future__ import annotations

from collections import Counter
from typing import Any

from commonroom.moments import seconds
from commonroom.watchlists.rules import trending
from commonroom.watchlists.tables import Watchlist

NOON = seconds("2026-05-31T12:00:00.000Z")


def watchlist(name: str, made: str, **fields: Any) -> Watchlist:
    return Watchlist(
        watchlist_id=name, curator_id="ada", title=name, created_at=made, updated_at=made,
        **{"item_count": 1, **fields},
    )  # fmt: skip


def test_most_saved_first_and_among_equals_the_newest() -> None:
    lists = [
        watchlist("old", "2026-01-01"),
        watchlist("new", "2026-03-01"),
        watchlist("best", "2025-01-01"),
        watchlist("private", "2026-03-01", is_public=False),
        watchlist("hidden", "2026-03-01", curator_status="suspended"),
        watchlist("empty", "2026-03-01", item_count=0),
    ]
    saves = Counter({"old": 2, "new": 2, "best": 3, "private": 9, "hidden": 9, "empty": 9})
    ranked = trending.ranked(lists, saves)
    assert [(one.watchlist_id, one.saves) for one in ranked] == [
        ("best", 3),
        ("new", 2),
        ("old", 2),
    ]


def test_seven_days_count_of_which_the_last_is_today() -> None:
    days = trending.days_until(NOON)
    assert (days[0], days[-1], len(days)) == ("2026-05-31", "2026-05-25", 7)
    assert trending.day_of(trending.next_midnight(NOON)) == "2026-06-01"


def test_what_was_saved_and_let_go_is_no_candidate() -> None:
    assert trending.candidates(Counter({"a": 0, "b": -1, "c": 1})) == [("c", 1)]
