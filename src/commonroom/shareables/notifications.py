"""What shareables tell people: that answers came to a page of theirs, several at once."""

from __future__ import annotations

from commonroom.notify.notifications import Facts, Kind
from commonroom.notify.preferences import Preference
from commonroom.web.words import counted, later


def _answers_title(facts: Facts) -> str:
    return counted("%(n)d new answer", "%(n)d new answers", int(facts["number"]))


def _answers_text(facts: Facts) -> str:
    return facts["title"]


ANSWERS = Kind(
    "shareable_answers",
    _answers_title,
    _answers_text,
    Preference(
        "shareable_answers",
        later("Answers to your pages"),
        later("Someone has answered an event or a poll that you shared."),
    ),
)

KINDS = (ANSWERS,)
