"""Pages of shareables that people look for by what they want to do."""

from __future__ import annotations

from commonroom.web.search.places import SearchPlace
from commonroom.web.words import later

PLACES = (
    SearchPlace(
        name=later("New checklist"),
        address="/s/new/checklist",
        words=later("shopping packing list chores share page"),
        icon="check",
    ),
    SearchPlace(
        name=later("New event page"),
        address="/s/new/event",
        words=later("invitation party rsvp share page guests"),
        icon="hangouts",
    ),
    SearchPlace(
        name=later("New poll"),
        address="/s/new/poll",
        words=later("vote question doodle share page"),
        icon="up",
    ),
    SearchPlace(
        name=later("Open a page with a code"),
        address="/s",
        words=later("short id code shareable"),
        icon="open",
    ),
    SearchPlace(
        name=later("Pages of guests"),
        address="/admin/guests",
        words=later("administration shareables limits storage"),
        icon="people",
        for_administrators=True,
    ),
)
