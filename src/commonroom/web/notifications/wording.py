"""Notifications in words: written for whoever reads, by the kinds that the rooms declare."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, cast

from litestar import Request

from commonroom.accounts import rules
from commonroom.accounts.tables import User
from commonroom.notify.channels import Wording
from commonroom.notify.notifications import Kind, Words
from commonroom.notify.tables import Notification
from commonroom.web.words import ENGLISH, _, speaking

logger = logging.getLogger(__name__)


def kinds_in(request: Request[Any, Any, Any]) -> Mapping[str, Kind]:
    """Everything that people are told of, by its name."""
    return cast("Mapping[str, Kind]", request.app.state.get("kinds", {}))


def words_of(kinds: Mapping[str, Kind], notification: Notification) -> Words:
    """The words, in the language that is spoken now."""
    kind = kinds.get(notification.kind)
    if kind is not None:
        try:
            return kind.words(notification.facts)
        except (KeyError, TypeError, ValueError):
            # Of another version, with other facts: the list must not fail because of one.
            logger.exception("A notification of the kind %s cannot be put into words", kind.name)
    return Words(_("Something new in Commonroom"), _("Have a look."))


def wording(kinds: Mapping[str, Kind]) -> Wording:
    """Writes for a person who is not here to ask."""

    def written(notification: Notification, person: User) -> Words:
        with speaking(language_of(person)):
            return words_of(kinds, notification)

    return written


def email_footer(person: User) -> str:
    """What e-mails end with."""
    with speaking(language_of(person)):
        return _(
            "You can change what you are notified about in Commonroom, under “Notifications” "
            "in your profile."
        )


def language_of(person: User) -> str:
    """The language that a person reads."""
    return str(person.language) if person.language in rules.LANGUAGES else ENGLISH
