"""Making and administering pages in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.shareables.service.listing import Kind
from commonroom.web.words import _, later

FLASH_TEXTS: Mapping[str, str] = {
    "shareable-saved": later("Saved. Everybody with the page sees it from now on."),
    "shareable-extended": later("The page lives longer now."),
    "shareable-poll-closed": later("The poll is closed: nobody can vote any more."),
    "shareable-poll-reopened": later("The poll is open again."),
    "shareable-unticked": later("Nothing is ticked any more: the list is ready to be used again."),
    "shareable-passcode-set": later(
        "The passcode is set. Whoever came in with an earlier one is asked for it."
    ),
    "shareable-passcode-removed": later("The passcode is gone."),
    "shareable-answer-removed": later("The answer is removed, and no longer counts."),
    "shareable-claimed": later("The page is yours: you find it in your list."),
    "shareable-deleted": later("The page is deleted, with everything on it."),
    "shareable-over": later(
        "This page’s time is over, so it cannot be edited. Make a new one like it."
    ),
}


def title(kind: Kind, *, is_new: bool) -> str:
    """What the form of a page is headed by."""
    match kind:
        case "checklist":
            return _("A new checklist") if is_new else _("Edit the checklist")
        case "event":
            return _("A new event") if is_new else _("Edit the event")
        case "poll":
            return _("A new poll") if is_new else _("Edit the poll")


def make_it(kind: Kind) -> str:
    """What the button says that makes a page."""
    match kind:
        case "checklist":
            return _("Make the checklist")
        case "event":
            return _("Make the event")
        case "poll":
            return _("Make the poll")
