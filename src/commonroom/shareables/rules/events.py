"""Events: what one may say, who answers how, and what the answers come to."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from commonroom.accounts.rules import time_zone
from commonroom.errors import FieldErrors, InvalidField
from commonroom.moments import iso, seconds
from commonroom.shareables.errors import AnswersClosed, PageFull
from commonroom.shareables.rules.lifecycle import moment, optional_moment
from commonroom.shareables.rules.limits import MAX_NAME
from commonroom.shareables.rules.typed import Line, Name, SharedNetwork, When
from commonroom.shareables.tables import Event, EventRsvp
from commonroom.texts import fit_line, fit_lines, fit_optional_line

Response: TypeAlias = Literal["going", "notGoing", "maybe"]
Visibility: TypeAlias = Literal["everyone", "admin", "countsOnly"]

MAX_LOCATION, MAX_DESCRIPTION, MAX_GUEST_NAME = 300, 10_000, 60
MAX_GUESTS = 20
USUAL_SECONDS = 2 * 3600
"""How long an event takes that says no end."""

_COUNTED: dict[Response, str] = {
    "going": "going_count",
    "notGoing": "not_going_count",
    "maybe": "maybe_count",
}


class TypedEvent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event, as entered."""

    name: Name
    start_time: When
    end_time: When | None = None
    type: Literal["inPerson", "Virtual"] = "inPerson"
    location: Line | None = None
    description: Annotated[str, Meta(max_length=80_000, description="Markdown.")] | None = None
    is_rsvp_required: Annotated[bool, Meta(description="Whether it takes answers.")] = False
    rsvp_deadline: When | None = None
    rsvp_visibility: Visibility = "everyone"
    time_zone: Annotated[str, Meta(max_length=100)] | None = None
    shared_network: SharedNetwork = False


class TypedEventRsvp(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether a person comes, as entered."""

    name: Line
    response: Response
    guest_count: Annotated[int, Meta(ge=0, le=1000)] = 0


def event_fields(typed: TypedEvent) -> dict[str, Any]:
    """Returns the fields to store."""
    errors = FieldErrors()
    check = errors.check
    start = check(moment, "start_time", typed.start_time)
    end = check(optional_moment, "end_time", typed.end_time)
    if start and end:
        check(_check_order, start, end)
    fields = {
        "name": check(fit_line, "name", typed.name, MAX_NAME, "Give it a title."),
        "start_time": start,
        "end_time": end,
        "type": typed.type,
        "location": check(fit_optional_line, "location", typed.location, MAX_LOCATION),
        "description": check(fit_lines, "description", typed.description, MAX_DESCRIPTION),
        "is_rsvp_required": typed.is_rsvp_required,
        "rsvp_deadline": check(optional_moment, "rsvp_deadline", typed.rsvp_deadline),
        "rsvp_visibility": typed.rsvp_visibility,
        "time_zone": None if typed.time_zone is None else check(time_zone, typed.time_zone),
        "shared_network": typed.shared_network,
    }
    errors.raise_if_any()
    return fields


def _check_order(start: str, end: str) -> None:
    if end < start:
        raise InvalidField("end_time", "An event cannot end before it starts.")


def rsvp_fields(typed: TypedEventRsvp) -> dict[str, Any]:
    """Returns the fields of an answer to store."""
    if not 0 <= typed.guest_count <= MAX_GUESTS:
        raise InvalidField("guest_count", f"You can bring 0 to {MAX_GUESTS} guests.")
    if typed.response == "notGoing" and typed.guest_count:
        raise InvalidField("guest_count", "You can only bring guests if you are coming.")
    return {
        "name": fit_line("name", typed.name, MAX_GUEST_NAME),
        "response": typed.response,
        "guest_count": typed.guest_count,
    }


def ends_at(event: Event) -> float:
    """Returns when an event ends; one that does not say takes two hours."""
    if event.end_time is not None:
        return seconds(event.end_time)
    return seconds(event.start_time) + USUAL_SECONDS


def has_ended(event: Event, now: float) -> bool:
    """Returns whether an event has ended: then nobody can say any more that they come."""
    return ends_at(event) <= now


def check_answering(now: float, event: Event, most: int | None = None) -> None:
    """Refuses where the event takes no answers, or no longer, or no more than so many."""
    if not event.is_rsvp_required:
        raise AnswersClosed("This event takes no answers.")
    if event.rsvp_deadline is not None and event.rsvp_deadline <= iso(now):
        raise AnswersClosed("The deadline has passed.")
    if has_ended(event, now):
        raise AnswersClosed("This event is over.")
    if most is not None and event.rsvp_count >= most:
        raise PageFull(f"This event has reached its limit of {most} answers.")


def counted(*rsvps: EventRsvp) -> Counter[str]:
    """Returns what answers come to, by the event's counters."""
    counts: Counter[str] = Counter()
    for one in rsvps:
        counts["rsvp_count"] += 1
        counts[_COUNTED[one.response]] += 1
        if one.response == "going":
            counts["guest_count"] += one.guest_count
    return counts


def difference(before: EventRsvp | None, after: EventRsvp | None) -> dict[str, int]:
    """Returns what to add to the event's counters when one answer takes another's place."""
    change = Counter(counted(after) if after is not None else ())
    change.subtract(counted(before) if before is not None else ())
    return {name: amount for name, amount in change.items() if amount}


def sees_counts(event: Event, *, is_admin: bool) -> bool:
    """Returns whether a visitor sees how many come."""
    return is_admin or event.rsvp_visibility != "admin"


def sees_names(event: Event, *, is_admin: bool) -> bool:
    """Returns whether a visitor sees who comes."""
    return is_admin or event.rsvp_visibility == "everyone"
