"""An event in its form: its times as they are where it takes place."""

from __future__ import annotations

from commonroom.errors import InvalidField
from commonroom.http.typed_times import MEANS, known_zone, local, zone_chosen
from commonroom.shareables.pages.drafts.draft import (
    EDITING,
    SETTINGS,
    AnyDraft,
    Sheet,
    chosen,
    keep_value,
    page_values,
    stored_times,
)
from commonroom.shareables.rules.events import TypedEvent, Visibility
from commonroom.shareables.service.gate import Page
from commonroom.shareables.tables import Event

TIMES = ("start_time", "end_time", "rsvp_deadline")
FIELDS = (
    "type",
    "location",
    "description",
    "is_rsvp_required",
    "rsvp_visibility",
    "shared_network",
)
KNOWN = {*TIMES, *(name + MEANS for name in TIMES), "time_zone", *FIELDS} | SETTINGS | EDITING


class EventDraft(AnyDraft, frozen=True):
    """What stands in the form of an event."""

    @classmethod
    def blank(cls, zone: str) -> EventDraft:
        """Returns a form that nobody has typed into."""
        return cls(
            {
                "time_zone": zone,
                "type": "inPerson",
                "is_rsvp_required": "true",
                "rsvp_visibility": "everyone",
                # An event is told of in good time, and its page is to last until it comes.
                "expires_after": "30",
            }
        )

    @classmethod
    def of(cls, page: Event, zone: str) -> EventDraft:
        """Returns an event, to be edited; in a zone of the reader's where it has none."""
        zone = known_zone(page.time_zone) or zone
        times = {name: local(getattr(page, name), zone) for name in TIMES}
        return cls(page_values(page, *FIELDS) | times | {"time_zone": zone})

    @classmethod
    def read(cls, sheet: Sheet) -> EventDraft:
        """Returns what was typed."""
        values: dict[str, str] = {}
        for name, text in sheet:
            keep_value(values, KNOWN, name, text)
        return cls(values)

    def typed(self, now: float, before: Page | None = None) -> TypedEvent:
        """As the rules take it; times that were not touched stay as they are stored."""
        if not self.text("start_time").strip():
            raise InvalidField("start_time", "Choose when it starts.")
        zone = zone_chosen(self.zone)
        times = stored_times(now, self.values, TIMES, zone, before)
        return TypedEvent(
            name=self.text("name"),
            start_time=times["start_time"] or "",
            end_time=times["end_time"],
            type="Virtual" if self.text("type") == "Virtual" else "inPerson",
            location=self.text("location"),
            description=self.text("description"),
            is_rsvp_required=bool(self.text("is_rsvp_required")),
            rsvp_deadline=times["rsvp_deadline"],
            rsvp_visibility=chosen(
                Visibility,
                self.text("rsvp_visibility"),
                InvalidField("rsvp_visibility", "Choose who sees the answers."),
            ),
            time_zone=zone,
            shared_network=bool(self.text("shared_network")),
        )
