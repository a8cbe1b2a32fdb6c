"""What the form of a page shows besides what stands in it."""

from __future__ import annotations

from typing import Any

from commonroom.shareables import making_words
from commonroom.shareables.addresses import address_of
from commonroom.shareables.pages.drafts import Draft
from commonroom.shareables.pages.drafts.times import UTC_NAME, known_zone, zone_choices
from commonroom.shareables.rules import access, checklists, events, fields, limits, polls
from commonroom.shareables.service.gate import Page
from commonroom.shareables.service.listing import Kind
from commonroom.web.request import Request

MAKING = "shareables/making.html"


def zone_of(request: Request) -> str:
    """The time zone of whoever asks; nothing where that is not known."""
    person = request.caller.account
    return "" if person is None else known_zone(person.time_zone)


def zone_to_edit_in(request: Request) -> str:
    """The zone in which stored times are shown: one has to be named."""
    return zone_of(request) or UTC_NAME


def form_context(kind: Kind, draft: Draft, before: Page | None = None) -> dict[str, Any]:
    """What the form shows; for a page that is there already, with it."""
    return {
        "kind": kind,
        "title": making_words.title(kind, is_new=before is None),
        "make_it": making_words.make_it(kind),
        "form": draft,
        "one": before,
        "address": None if before is None else address_of(before.short_id),
        "action": f"/s/new/{kind}" if before is None else f"{address_of(before.short_id)}/edit",
        "original": None,
        "converts": False,
        "zones": zone_choices() if kind != "checklist" else {},
        "limits": {
            "page": limits.LONGEST_PAGE,
            "name": fields.LONGEST_NAME,
            "note": checklists.LONGEST_NOTE,
            "items": checklists.MOST_ITEMS,
            "item": checklists.LONGEST_ITEM,
            "item_note": checklists.LONGEST_ITEM_NOTE,
            "location": events.LONGEST_LOCATION,
            "description": events.LONGEST_DESCRIPTION,
            "questions": polls.MOST_QUESTIONS,
            "title": polls.LONGEST_TITLE,
            "options": polls.MOST_OPTIONS,
            "option": polls.LONGEST_LABEL,
            "passcode": access.LONGEST_PASSCODE,
        },
    }
