"""Shareables as search knows them: each for the person who made it, by its name and its note."""

from __future__ import annotations

from datetime import datetime

from commonroom.http.words import _, lazy
from commonroom.joins.search_audiences import person_token
from commonroom.joins.search_kinds import ResultCard, SearchHit, SearchKind
from commonroom.joins.search_places import SearchPlace
from commonroom.moments import iso
from commonroom.search.documents import MAX_POPULAR, Document, Searchable
from commonroom.shareables import words
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.tables import KINDS as PAGES
from commonroom.shareables.tables import Checklist, Event, Poll, Shareable, kind_of

KIND = "shareable"
FIRST_DAY = 1_577_836_800
"""2020-01-01: pages are counted in weeks from here, so that of equals the later comes first."""
WEEK = 7 * 24 * 3600


def page_document(page: Checklist | Event | Poll) -> Document | None:
    """Returns a page that an account made."""
    text = page.description if isinstance(page, Event) else page.note
    if page.created_by is None:
        return None
    made = int(datetime.fromisoformat(page.created_at).timestamp())
    return Document(
        kind=kind_of(page),
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
    said = [_(words.KIND_NAMES[kind]), format_short_id(found.document.id)]
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
            kind=kind, entity=entity, id_field="short_id", document=page_document, is_private=True
        ),
        name=lazy("Shareables"),
        picture="shareables/parts/search_picture.html",
        card=page_card,
        styles="shareables/shareables.css",
        shown_as=KIND,
        address=page_address,
    )
    for kind, entity in PAGES.items()
)

PLACES = (
    SearchPlace(
        lazy("New checklist"),
        "/s/new/checklist",
        lazy("shopping packing list chores share page"),
        "check",
    ),
    SearchPlace(
        lazy("New event page"),
        "/s/new/event",
        lazy("invitation party rsvp share page guests"),
        "hangouts",
    ),
    SearchPlace(lazy("New poll"), "/s/new/poll", lazy("vote question doodle share page"), "up"),
    SearchPlace(lazy("Open a page with a code"), "/s", lazy("short id code shareable"), "open"),
    SearchPlace(
        lazy("Pages of guests"),
        "/admin/guests",
        lazy("administration shareables limits storage"),
        "people",
        for_administrators=True,
    ),
)
