"""Telling people: a notification for each, and channels that carry it further."""

from commonroom.notify.kinds import Facts, Kind, Words
from commonroom.notify.notifications import tell

__all__ = ["Facts", "Kind", "Words", "tell"]
