"""Who follows changes: what every room wants to happen after one."""

from __future__ import annotations

from commonroom.model import MODEL
from commonroom.store.streams import Consumer, copy_consumers


def consumers() -> list[Consumer]:
    """All consumers of the house; any number of workers may run them."""
    return copy_consumers(MODEL.copies)
