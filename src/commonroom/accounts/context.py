"""The context of a request: what every service needs to know before it does anything."""

from __future__ import annotations

import time

from msgspec import Struct, field

from commonroom.accounts.tables import User
from commonroom.store import Store


class Context(Struct, frozen=True):
    """Who asks, when, and where things are stored, for the length of one request."""

    store: Store
    person: User
    """The caller's account."""
    now: float = field(default_factory=time.time)
    """The moment of the request: whatever it writes happened then."""
