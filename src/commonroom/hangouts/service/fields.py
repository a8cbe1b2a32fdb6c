"""Fields of a hangout as they are stored, from what a person typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from commonroom.errors import FieldErrors
from commonroom.hangouts.rules import hangouts as rules
from commonroom.hangouts.rules.attendance import place_limit
from commonroom.hangouts.rules.times import TimeSpan, new_time_span
from commonroom.hangouts.tables import EnteredTime, Repetition, Venue, Visibility


class HangoutDraft(Struct, frozen=True, kw_only=True):
    """A hangout as entered."""

    title: str
    description: str | None = None
    link: str | None = None
    picture: str | None = None
    time: EnteredTime | None = None
    place: Venue | None = None
    place_limit: int | None = None
    visibility: Visibility = "INVITE_ONLY"
    group_ids: Sequence[str] = ()
    invited_user_ids: Sequence[str] = ()
    is_on: bool = False
    """Locked in, so that its maker goes; otherwise floated, and its maker is interested."""
    repetition: Repetition | None = None
    """How it repeats, if it does."""
    parts: Sequence[str] = ()
    """Of a watch party: one title for each time."""


EDITABLE = frozenset(HangoutDraft.__struct_fields__) - {
    "is_on",
    "invited_user_ids",
    "repetition",
    "parts",
}
"""What an edit can change."""


def hangout_fields(given: Mapping[str, Any], zone: str | None, now: float) -> dict[str, Any]:
    """Returns the fields to store of those that are given; all that is wrong is said at once."""
    errors = FieldErrors()
    clean: dict[str, Callable[[Any], Any]] = {
        "title": rules.title,
        "description": rules.description,
        "link": rules.link,
        "picture": rules.picture,
        "place": rules.place,
        "place_limit": place_limit,
        "group_ids": rules.group_ids,
    }
    fields = {
        name: errors.check(clean[name], value) if name in clean else value
        for name, value in given.items()
        if name != "time"
    }
    if "time" in given:
        entered: EnteredTime | None = given["time"]
        span = None if entered is None else errors.check(new_time_span, entered, zone, now)
        errors.raise_if_any()
        fields |= time_fields(span)
    errors.raise_if_any()
    return fields


def time_fields(span: TimeSpan | None) -> dict[str, Any]:
    """Returns the fields of a time; they change together, because keys are made of them."""
    if span is None:
        return dict.fromkeys(("time", "start_timestamp", "end_timestamp"))
    return {"time": span.entered, "start_timestamp": span.start, "end_timestamp": span.end}
