"""What shareables tell people: answers to a page of theirs, several at once; a poll's end."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.notifications.kinds import Kind, Plural
from commonroom.notifications.preferences import Preference

ANSWERS = Kind(
    "shareable_answers",
    Plural("%(n)d new answer", "%(n)d new answers", "number"),
    "%(title)s",
    Preference(
        "shareable_answers",
        lazy("Answers to your pages"),
        lazy("Someone has answered an event or a poll that you shared."),
    ),
)

VOTES_IN = Kind(
    "shareable_votes_in",
    lazy("The votes are in: %(title)s"),
    Plural("%(n)d vote", "%(n)d votes", "number"),
    Preference(
        "shareable_votes_in",
        lazy("The votes are in"),
        lazy("A poll that you shared has reached its end."),
    ),
)

GUESSED = Kind(
    "shareable_guessed",
    lazy("Someone keeps guessing the passcode: %(title)s"),
    lazy("Guesses are slowed down now. Choose another, longer passcode to begin anew."),
    Preference(
        "shareable_guessed",
        lazy("Guesses at your passcodes"),
        lazy("A great many wrong passcodes were tried on a page that you shared."),
    ),
)

KINDS = (ANSWERS, VOTES_IN, GUESSED)
