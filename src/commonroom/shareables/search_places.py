"""Pages of shareables that people look for by what they want to do."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.search_places import SearchPlace

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
