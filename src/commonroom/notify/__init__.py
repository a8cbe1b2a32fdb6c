"""Telling people: a notification for each, and channels that carry it further."""

from commonroom.notify.notifications import Action, Facts, Kind, Words, tell

__all__ = ["Action", "Facts", "Kind", "Words", "tell"]
