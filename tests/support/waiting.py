"""Waiting for what must come, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_SECONDS = 180.0
"""How long something may take: only what never comes takes so long."""
PAUSE_SECONDS = 0.1


def wait_for(find: Callable[[], T | None], what: str) -> T:
    """Returns what is found at last; fails where it never is."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not (found := find()):
        assert time.monotonic() < until, f"it is still not there: {what}"
        time.sleep(PAUSE_SECONDS)
    return found
