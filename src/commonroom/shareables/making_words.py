"""Making and administering pages in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.shareables.service.listing import Kind
from commonroom.web.words import _, later

FLASH_TEXTS: Mapping[str, str] = {
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
