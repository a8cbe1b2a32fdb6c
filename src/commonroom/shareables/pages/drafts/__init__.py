"""Pages in the making: what stands in their forms, row by row, before it becomes a page."""

from __future__ import annotations

from typing import TypeAlias

from commonroom.errors import NotFound
from commonroom.shareables.pages.drafts.checklists import ChecklistDraft
from commonroom.shareables.pages.drafts.draft import chosen
from commonroom.shareables.pages.drafts.events import EventDraft
from commonroom.shareables.pages.drafts.polls import PollDraft
from commonroom.shareables.service.gate import Page
from commonroom.shareables.tables import Checklist, Event, Kind, Poll

Draft: TypeAlias = ChecklistDraft | EventDraft | PollDraft

DRAFTS: dict[Kind, type[Draft]] = {
    "checklist": ChecklistDraft,
    "event": EventDraft,
    "poll": PollDraft,
}


def kind_named(name: str) -> Kind:
    """Returns the kind that an address names."""
    kind: Kind = chosen(Kind, name, NotFound("A page is a checklist, an event or a poll."))
    return kind


def draft_of(page: Page, zone: str) -> Draft:
    """Returns a page as it stands in the form to edit it, with its times in a zone."""
    match page:
        case Checklist():
            return ChecklistDraft.of(page)
        case Event():
            return EventDraft.of(page, zone)
        case Poll():
            return PollDraft.of(page, zone)
