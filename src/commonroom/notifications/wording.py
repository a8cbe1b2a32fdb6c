"""Notifications in words: written for the reader, by the kinds that the rooms declare."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import cast

from commonroom.accounts import rules
from commonroom.accounts.tables import User
from commonroom.http.request import Request
from commonroom.http.words import ENGLISH, _, pluralize, speaking
from commonroom.notifications.groups import NotificationThread
from commonroom.notifications.kinds import Kind, NotificationAction, Words, say
from commonroom.notifications.tables import Notification

logger = logging.getLogger(__name__)

FACTS_OF_ANOTHER_VERSION = (KeyError, TypeError, ValueError)
"""What a kind raises that knows other facts: the list must not fail because of one."""


def kinds_in(request: Request) -> Mapping[str, Kind]:
    """Returns every kind of notification, by its name."""
    return cast("Mapping[str, Kind]", request.app.state.get("kinds", {}))


def is_shown(request: Request, notification: Notification) -> bool:
    """Whether it is in a person's list: what leads to a room that is switched off waits for it.

    What no longer needs anybody may not be true any more, and is not.
    """
    closed: Collection[str] = request.app.state.get("closed_kinds", ())
    is_current = notification.listed and notification.settled_at is None
    return is_current and notification.kind not in closed


def words_of(kinds: Mapping[str, Kind], notification: Notification) -> Words:
    """Returns the words, in the language that is spoken now."""
    kind = kinds.get(notification.kind)
    if kind is not None:
        try:
            return kind.words(notification.facts)
        except FACTS_OF_ANOTHER_VERSION:
            logger.exception("A notification of the kind %s cannot be rendered", kind.name)
    return Words(_("Something new in Commonroom"), _("Have a look."))


def words_of_group(kinds: Mapping[str, Kind], group: NotificationThread) -> Words:
    """Several as one: in the words that their kind has for that, or the newest's and how many."""
    members = group.counted
    newest = words_of(kinds, members[0])
    if len(members) == 1:
        return newest
    title = _several(kinds, group)
    if title:
        return Words(title, newest.text)
    more = pluralize("and %(n)d more", "and %(n)d more", len(members) - 1)
    return Words(newest.title, " · ".join(filter(None, [newest.text, more])))


def _several(kinds: Mapping[str, Kind], group: NotificationThread) -> str:
    members = group.counted
    kind = kinds.get(members[0].kind)
    if kind is None or kind.several is None or any(one.kind != kind.name for one in members):
        return ""
    try:
        return say(kind.several, members[0].facts, len(members))
    except FACTS_OF_ANOTHER_VERSION:
        return ""


def action_of(kinds: Mapping[str, Kind], group: NotificationThread) -> NotificationAction | None:
    """Returns what can be done in one tap about the newest that is unread and offers something."""
    for one in group.unread:
        kind = kinds.get(one.kind)
        if kind is not None and kind.action is not None:
            try:
                action = kind.action(one.facts)
            except FACTS_OF_ANOTHER_VERSION:
                continue
            if action is not None:
                return action
    return None


def write_words(kinds: Mapping[str, Kind], notification: Notification, person: User) -> Words:
    """Returns the words for a person who is not here to ask."""
    with speaking(language_of(person)):
        return words_of(kinds, notification)


def write_group(kinds: Mapping[str, Kind], group: NotificationThread, person: User) -> Words:
    """Returns the words of several as one for a person who is not here to ask."""
    with speaking(language_of(person)):
        return words_of_group(kinds, group)


def digest_subject(person: User, number: int) -> str:
    """Returns what a digest is called."""
    with speaking(language_of(person)):
        return pluralize(
            "Your day in Commonroom: %(n)d thing", "Your day in Commonroom: %(n)d things", number
        )


def email_footer(person: User) -> str:
    """Returns what e-mails end with."""
    with speaking(language_of(person)):
        return _(
            "You can change what you are notified about in Commonroom, under “Notifications” "
            "in your profile."
        )


def language_of(person: User) -> str:
    """Returns the language that a person reads."""
    return str(person.language) if person.language in rules.LANGUAGES else ENGLISH
