"""Shareables as search knows them: each for the person who made it, by its name and its note."""

from __future__ import annotations

from datetime import datetime

from commonroom.http.words import _, lazy
from commonroom.joins.search_audiences import person_token
from commonroom.joins.search_kinds import ResultCard, SearchHit, SearchKind
from commonroom.joins.search_places import SearchPlace
from commonroom.moments import iso
from commonroom.search.documents import MAX_POPULAR, Document, Searchable
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.tables import Checklist, Event, Poll, Shareable

KIND = "shareable"
FIRST_DAY = 1_577_836_800
"""2020-01-01: pages are counted in weeks from here, so that of equals the later comes first."""
WEEK = 7 * 24 * 3600
NAMES = {
    "checklist": lazy("Checklist"),
    "event": lazy("Event"),
    "poll": lazy("Poll"),
}


def checklist_document(page: Checklist) -> Document | None:
    """Returns a checklist."""
    return _document("checklist", page, page.note)


def event_document(page: Event) -> Document | None:
    """Returns an event."""
    return _document("event", page, page.description)


def poll_document(page: Poll) -> Document | None:
    """Returns a poll."""
    return _document("poll", page, page.note)


def _document(kind: str, page: Shareable, text: str | None) -> Document | None:
    if page.created_by is None:
        return None
    made = int(datetime.fromisoformat(page.created_at).timestamp())
    return Document(
        kind=kind,
        id=page.short_id,
        title=page.name,
        address=address_of(page.short_id),
        text=text or "",
        popularity=max(0, min((made - FIRST_DAY) // WEEK, MAX_POPULAR)),
        audience=(person_token(page.created_by),),
    )


def page_card(found: SearchHit) -> ResultCard:
    """Returns a page with what it is, its code, and whether it is closed."""
    kind = found.document.kind
    said = [_(NAMES[kind]), format_short_id(found.document.id)]
    if _is_closed(found):
        said.append(_("closed"))
    return ResultCard(" · ".join(said), kind)


def page_address(found: SearchHit) -> str:
    """Returns a page; one that is closed is open to the person who made it where it is edited."""
    address = found.document.address
    return f"{address}/admin" if _is_closed(found) else address


def _is_closed(found: SearchHit) -> bool:
    page = found.thing
    return isinstance(page, Shareable) and page.expires_at <= iso(found.request.now)


KINDS = tuple(
    SearchKind(
        searchable=Searchable(
            kind=kind, entity=entity, id_field="short_id", document=document, is_private=True
        ),
        name=lazy("Shareables"),
        picture="shareables/parts/search_picture.html",
        card=page_card,
        styles="shareables/shareables.css",
        shown_as=KIND,
        address=page_address,
    )
    for kind, entity, document in (
        ("checklist", Checklist, checklist_document),
        ("event", Event, event_document),
        ("poll", Poll, poll_document),
    )
)

PLACES = (
    SearchPlace(
        name=lazy("New checklist"),
        address="/s/new/checklist",
        words=lazy("shopping packing list chores share page"),
        icon="check",
    ),
    SearchPlace(
        name=lazy("New event page"),
        address="/s/new/event",
        words=lazy("invitation party rsvp share page guests"),
        icon="hangouts",
    ),
    SearchPlace(
        name=lazy("New poll"),
        address="/s/new/poll",
        words=lazy("vote question doodle share page"),
        icon="up",
    ),
    SearchPlace(
        name=lazy("Open a page with a code"),
        address="/s",
        words=lazy("short id code shareable"),
        icon="open",
    ),
    SearchPlace(
        name=lazy("Pages of guests"),
        address="/admin/guests",
        words=lazy("administration shareables limits storage"),
        icon="people",
        for_administrators=True,
    ),
)
