"""Telling people: a notification for each, and channels that carry it further."""

from commonroom.notifications.kinds import Facts, Kind, NotificationAction, Plural, Words, say
from commonroom.notifications.notifications import tell

__all__ = ["Facts", "Kind", "NotificationAction", "Plural", "Words", "say", "tell"]
