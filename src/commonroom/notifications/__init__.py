"""Telling people: a notification for each, and channels that carry it further."""

from commonroom.notifications.notifications import Facts, Kind, NotificationAction, Words, tell

__all__ = ["Facts", "Kind", "NotificationAction", "Words", "tell"]
