"""Telling people: a notification for each, and channels that carry it further."""

from commonroom.notify.notifications import Facts, Kind, NotificationAction, Words, tell

__all__ = ["Facts", "Kind", "NotificationAction", "Words", "tell"]
