"""Places that groups and persons keep: a nickname, where it is, and what helps to find it."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.hangouts.rules.fields import Cleaners
from commonroom.hangouts.rules.hangouts import (
    MAX_ADDRESS,
    MAX_PLACE_NAME,
    MAX_PLACE_NOTES,
    link,
)
from commonroom.hangouts.rules.rsvps import goes
from commonroom.hangouts.tables import GuestRsvp, HangoutSummary, Rsvp, Venue
from commonroom.texts import fit_line, fit_lines, fit_optional_line

MAX_PLACES = 100
"""Of one group or person, archived ones included: all of them are one page."""

CLEANERS: Cleaners = {
    "name": lambda text: fit_line("name", text, MAX_PLACE_NAME, "Give the place a name."),
    "address": lambda text: fit_optional_line("address", text, MAX_ADDRESS),
    "url": lambda text: link(text, "url"),
    "notes": lambda text: fit_lines("notes", text, MAX_PLACE_NOTES),
}


def sees_notes(hangout: HangoutSummary, user_id: str, rsvp: Rsvp | GuestRsvp | None) -> bool:
    """Whether a person sees what helps to find a hangout's place: its maker, and those who go."""
    return user_id == hangout.created_by or goes(hangout, rsvp)


def shown_place(place: Venue | None, *, with_notes: bool) -> Venue | None:
    """A hangout's place as the caller sees it: gate codes and the like are for those who go."""
    if place is None or place.notes is None or with_notes:
        return place
    return replace(place, notes=None)


def place_for(hangout: HangoutSummary, user_id: str, rsvp: Rsvp | GuestRsvp | None) -> Venue | None:
    """Returns a hangout's place as a person sees it."""
    return shown_place(hangout.place, with_notes=sees_notes(hangout, user_id, rsvp))


def with_unseen_notes(place: Venue | None, before: Venue | None) -> Venue | None:
    """A place as a person saves it who does not see its notes: these stay while it is the same."""
    if place is None or before is None or place.notes is not None:
        return place
    is_same = (place.name, place.address) == (before.name, before.address)
    return replace(place, notes=before.notes) if is_same else place
