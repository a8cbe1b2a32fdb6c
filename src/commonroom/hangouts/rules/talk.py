"""Talk: how long a message may be, and how newer ones sort before older ones."""

from __future__ import annotations

import os

from commonroom.errors import InvalidField
from commonroom.texts import fit_lines

MAX_MESSAGE = 1000
MAX_MESSAGES = 5000
"""On one hangout."""
LAST_MILLISECOND = 10**15 - 1
"""Of the 339th century: as many digits as an id has."""


def message_text(text: str) -> str:
    """Returns a message as it is kept."""
    clean = fit_lines("text", text, MAX_MESSAGE)
    if clean is None:
        raise InvalidField("text", "Write a message.")
    return clean


def newest_first_id(now: float) -> str:
    """Returns an id that begins with what is left of time: later ones sort before earlier ones."""
    return f"{LAST_MILLISECOND - int(now * 1000):015}-{os.urandom(6).hex()}"
