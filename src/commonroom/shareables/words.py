"""Shareables in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.http.words import _, lazy, pluralize
from commonroom.shareables.rules.events import Response, sees_counts
from commonroom.shareables.rules.events import Visibility as RsvpVisibility
from commonroom.shareables.rules.polls import Visibility as ResultsVisibility
from commonroom.shareables.rules.polls import is_over, sees_results
from commonroom.shareables.service.gate import Page
from commonroom.shareables.tables import Checklist, Event, Kind, Poll, Tick

FLASH_TEXTS: Mapping[str, str] = {
    "shareable-only-to-look": lazy(
        "That passcode is only for viewing. To edit this page, you need the edit passcode."
    ),
    "shareable-back": lazy("Welcome back! You can edit the page on this device again."),
    "shareable-answered": lazy("Thank you! Your answer is saved."),
    "shareable-answer-changed": lazy("Answer saved."),
    "shareable-voted": lazy("Thank you! Your vote is counted."),
    "shareable-vote-changed": lazy("Vote saved."),
    "shareable-withdrawn": lazy("Withdrawn."),
    "shareable-brought-over": lazy("Found it! You can now edit your answer on this device."),
    "shareable-started-over": lazy("Your ticks are cleared."),
    "shareable-named": lazy("Your name is now shown next to what you tick."),
    "shareable-unnamed": lazy("You now tick without a name."),
    "shareable-kept": lazy("Saved to your list."),
    "shareable-dropped": lazy("Removed from your list."),
    "shareable-saved": lazy("Saved. Everyone with the page sees the changes."),
    "shareable-extended": lazy("Expiry date changed."),
    "shareable-poll-closed": lazy("Poll closed. No one can vote any more."),
    "shareable-poll-reopened": lazy("Poll reopened."),
    "shareable-unticked": lazy("All ticks cleared. The list is ready to be used again."),
    "shareable-passcode-set": lazy(
        "Passcode saved. Anyone who used an earlier one is asked for the new one."
    ),
    "shareable-passcode-removed": lazy("Passcode removed."),
    "shareable-answer-removed": lazy("Answer removed."),
    "shareable-claimed": lazy("Page added to your account. You can find it in your list."),
    "shareable-deleted": lazy("Page deleted."),
    "shareable-over": lazy(
        "This page has expired and cannot be edited. You can duplicate it instead."
    ),
}

KIND_NAMES: Mapping[str, str] = {
    "checklist": lazy("Checklist"),
    "event": lazy("Event"),
    "poll": lazy("Poll"),
}

RESPONSES: Mapping[Response, str] = {
    "going": lazy("I’m coming"),
    "maybe": lazy("Maybe"),
    "notGoing": lazy("I can’t"),
}
"""What a guest says; translated when it is shown."""

RESPONSE_LABELS: Mapping[Response, str] = {
    "going": lazy("Coming"),
    "maybe": lazy("Maybe"),
    "notGoing": lazy("Can’t come"),
}
"""What is said of a guest."""

WHO_SEES_GUESTS: Mapping[RsvpVisibility, str] = {
    "everyone": lazy("Everyone with this page sees who is coming."),
    "countsOnly": lazy("Others see how many are coming, but no names."),
    "admin": lazy("Only the page’s creator sees your answer."),
}

WHO_SEES_RESULTS: Mapping[ResultsVisibility, str] = {
    "always": lazy("Everyone sees the results at any time."),
    "afterSubmit": lazy("You see the results once you have voted."),
    "afterClose": lazy("The results are shown when the poll closes."),
    "admin": lazy("Only the poll’s creator sees the results."),
}


NEW_PAGE: Mapping[Kind, str] = {
    "checklist": lazy("New checklist"),
    "event": lazy("New event"),
    "poll": lazy("New poll"),
}
EDIT_PAGE: Mapping[Kind, str] = {
    "checklist": lazy("Edit checklist"),
    "event": lazy("Edit event"),
    "poll": lazy("Edit poll"),
}
CREATE_PAGE: Mapping[Kind, str] = {
    "checklist": lazy("Create checklist"),
    "event": lazy("Create event"),
    "poll": lazy("Create poll"),
}


def standing(now: float, page: Page, ticks: Mapping[str, Tick] | None) -> str:
    """Returns how a page stands, in a line, as far as every visitor sees it."""
    match page:
        case Checklist():
            number = len(page.items)
            if ticks is None:
                return pluralize("%(n)d thing", "%(n)d things", number)
            return _("%(done)d of %(all)d done") % {"done": len(ticks), "all": number}
        case Event():
            if not page.is_rsvp_required or not sees_counts(page, is_admin=False):
                return _("Event")
            return pluralize("%(n)d coming", "%(n)d coming", page.going_count + page.guest_count)
        case Poll():
            if sees_results(now, page, is_admin=False, has_voted=False):
                return pluralize("%(n)d vote", "%(n)d votes", page.vote_count)
            return _("Voting is closed") if is_over(now, page) else _("Voting is open")
