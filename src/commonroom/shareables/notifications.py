"""What shareables tell people: answers to a page of theirs, several at once; a poll's end."""

from __future__ import annotations

from commonroom.http.words import _, lazy, pluralize
from commonroom.notifications.notifications import Facts, Kind
from commonroom.notifications.preferences import Preference


def _answers_title(facts: Facts) -> str:
    return pluralize("%(n)d new answer", "%(n)d new answers", int(facts["number"]))


def _answers_text(facts: Facts) -> str:
    return facts["title"]


def _guessed_title(facts: Facts) -> str:
    return _("Someone keeps guessing the passcode: %(title)s") % facts


def _guessed_text(_facts: Facts) -> str:
    return _("Guesses are slowed down now. Choose another, longer passcode to begin anew.")


def _votes_in_title(facts: Facts) -> str:
    return _("The votes are in: %(title)s") % facts


def _votes_in_text(facts: Facts) -> str:
    return pluralize("%(n)d vote", "%(n)d votes", int(facts["number"]))


ANSWERS = Kind(
    "shareable_answers",
    _answers_title,
    _answers_text,
    Preference(
        "shareable_answers",
        lazy("Answers to your pages"),
        lazy("Someone has answered an event or a poll that you shared."),
    ),
)

VOTES_IN = Kind(
    "shareable_votes_in",
    _votes_in_title,
    _votes_in_text,
    Preference(
        "shareable_votes_in",
        lazy("The votes are in"),
        lazy("A poll that you shared has reached its end."),
    ),
)

GUESSED = Kind(
    "shareable_guessed",
    _guessed_title,
    _guessed_text,
    Preference(
        "shareable_guessed",
        lazy("Guesses at your passcodes"),
        lazy("A great many wrong passcodes were tried on a page that you shared."),
    ),
)

KINDS = (ANSWERS, VOTES_IN, GUESSED)
