"""Shareables in the reader's words: what visitors are told."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.shareables.rules.events import Response
from commonroom.shareables.rules.events import Visibility as RsvpVisibility
from commonroom.shareables.rules.polls import Visibility as ResultsVisibility
from commonroom.web.words import later

FLASH_TEXTS: Mapping[str, str] = {
    "shareable-only-to-look": later(
        "That passcode is for looking. To change this page, you need the other one."
    ),
    "shareable-back": later("Welcome back. This device can administer the page again."),
    "shareable-answered": later("Thank you. Your answer is in."),
    "shareable-answer-changed": later("Your answer is changed."),
    "shareable-voted": later("Thank you. Your vote is in."),
    "shareable-vote-changed": later("Your vote is changed."),
    "shareable-withdrawn": later("It is taken back, as if you had not answered."),
    "shareable-brought-over": later("There it is. This device knows your answer now."),
    "shareable-started-over": later("Your ticks are gone. Start over."),
    "shareable-named": later("From now on, your name stands beside what you tick."),
    "shareable-unnamed": later("From now on, you tick without a name."),
    "shareable-kept": later("The page is in your list."),
    "shareable-dropped": later("The page is no longer in your list."),
}

RESPONSES: Mapping[Response, str] = {
    "going": later("I’m coming"),
    "maybe": later("Maybe"),
    "notGoing": later("I can’t"),
}
"""What a guest says; translated when it is shown."""

SAID_OF: Mapping[Response, str] = {
    "going": later("Coming"),
    "maybe": later("Maybe"),
    "notGoing": later("Can’t come"),
}
"""What is said of a guest."""

WHO_SEES_GUESTS: Mapping[RsvpVisibility, str] = {
    "everyone": later("Everybody with this page sees who comes."),
    "countsOnly": later("Others see how many come, but no names."),
    "admin": later("Only whoever runs this page sees your answer."),
}

WHO_SEES_RESULTS: Mapping[ResultsVisibility, str] = {
    "always": later("Everybody sees how it stands, at any time."),
    "afterSubmit": later("You see how it stands once you have voted."),
    "afterClose": later("How it stands is shown when the poll has closed."),
    "admin": later("Only whoever runs this poll sees how it stands."),
}
