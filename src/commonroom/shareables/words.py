"""Shareables in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.shareables.rules.events import Response, sees_counts
from commonroom.shareables.rules.events import Visibility as RsvpVisibility
from commonroom.shareables.rules.polls import Visibility as ResultsVisibility
from commonroom.shareables.rules.polls import is_over, sees_results
from commonroom.shareables.service.gate import Page
from commonroom.shareables.service.listing import Kind
from commonroom.shareables.tables import Checklist, Event, Poll, Tick
from commonroom.web.words import _, counted, later

FLASH_TEXTS: Mapping[str, str] = {
    "shareable-only-to-look": later(
        "That passcode is only for viewing. To edit this page, you need the edit passcode."
    ),
    "shareable-back": later("Welcome back! You can edit the page on this device again."),
    "shareable-answered": later("Thank you! Your answer is saved."),
    "shareable-answer-changed": later("Answer saved."),
    "shareable-voted": later("Thank you! Your vote is counted."),
    "shareable-vote-changed": later("Vote saved."),
    "shareable-withdrawn": later("Withdrawn."),
    "shareable-brought-over": later("Found it! You can now edit your answer on this device."),
    "shareable-started-over": later("Your ticks are cleared."),
    "shareable-named": later("Your name is now shown next to what you tick."),
    "shareable-unnamed": later("You now tick without a name."),
    "shareable-kept": later("Saved to your list."),
    "shareable-dropped": later("Removed from your list."),
    "shareable-saved": later("Saved. Everyone with the page sees the changes."),
    "shareable-extended": later("Expiry date changed."),
    "shareable-poll-closed": later("Poll closed. No one can vote any more."),
    "shareable-poll-reopened": later("Poll reopened."),
    "shareable-unticked": later("All ticks cleared. The list is ready to be used again."),
    "shareable-passcode-set": later(
        "Passcode saved. Anyone who used an earlier one is asked for the new one."
    ),
    "shareable-passcode-removed": later("Passcode removed."),
    "shareable-answer-removed": later("Answer removed."),
    "shareable-claimed": later("Page added to your account. You can find it in your list."),
    "shareable-deleted": later("Page deleted."),
    "shareable-over": later(
        "This page has expired and cannot be edited. You can duplicate it instead."
    ),
}

KIND_NAMES: Mapping[Kind, str] = {
    "checklist": later("Checklist"),
    "event": later("Event"),
    "poll": later("Poll"),
}

RESPONSES: Mapping[Response, str] = {
    "going": later("I’m coming"),
    "maybe": later("Maybe"),
    "notGoing": later("I can’t"),
}
"""What a guest says; translated when it is shown."""

RESPONSE_LABELS: Mapping[Response, str] = {
    "going": later("Coming"),
    "maybe": later("Maybe"),
    "notGoing": later("Can’t come"),
}
"""What is said of a guest."""

WHO_SEES_GUESTS: Mapping[RsvpVisibility, str] = {
    "everyone": later("Everyone with this page sees who is coming."),
    "countsOnly": later("Others see how many are coming, but no names."),
    "admin": later("Only the page’s creator sees your answer."),
}

WHO_SEES_RESULTS: Mapping[ResultsVisibility, str] = {
    "always": later("Everyone sees the results at any time."),
    "afterSubmit": later("You see the results once you have voted."),
    "afterClose": later("The results are shown when the poll closes."),
    "admin": later("Only the poll’s creator sees the results."),
}


def title(kind: Kind, *, is_new: bool) -> str:
    """What the form of a page is headed by."""
    match kind:
        case "checklist":
            return _("New checklist") if is_new else _("Edit checklist")
        case "event":
            return _("New event") if is_new else _("Edit event")
        case "poll":
            return _("New poll") if is_new else _("Edit poll")


def make_it(kind: Kind) -> str:
    """What the button says that makes a page."""
    match kind:
        case "checklist":
            return _("Create checklist")
        case "event":
            return _("Create event")
        case "poll":
            return _("Create poll")


def standing(now: float, page: Page, ticks: Mapping[str, Tick] | None) -> str:
    """How a page stands, in a line, as far as every visitor sees it."""
    match page:
        case Checklist():
            number = len(page.items)
            if ticks is None:
                return counted("%(n)d thing", "%(n)d things", number)
            return _("%(done)d of %(all)d done") % {"done": len(ticks), "all": number}
        case Event():
            if not page.is_rsvp_required or not sees_counts(page, is_admin=False):
                return _("Event")
            return counted("%(n)d coming", "%(n)d coming", page.going_count + page.guest_count)
        case Poll():
            if sees_results(now, page, is_admin=False, has_voted=False):
                return counted("%(n)d vote", "%(n)d votes", page.vote_count)
            return _("Voting is closed") if is_over(now, page) else _("Voting is open")
