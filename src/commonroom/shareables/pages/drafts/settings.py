"""What is chosen for every page: how long it lives, and its passcodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from commonroom.errors import BadRequest, CommonroomError, InvalidField
from commonroom.shareables.rules.access import passcode
from commonroom.shareables.rules.lifetimes import Days
from commonroom.shareables.service.making import Passcodes


def days_chosen(typed: str) -> Days:
    """How long a page is to live."""
    all_days: tuple[Days, ...] = get_args(Days)
    for days in all_days:
        if typed == str(days):
            return days
    raise InvalidField("expires_after", "Choose 1, 7 or 30 days.")


def passcodes_chosen(values: Mapping[str, Any]) -> Passcodes:
    """The passcodes that a page is to begin with."""
    return Passcodes(values.get("view_passcode") or None, values.get("admin_passcode") or None)


def version_in(typed: str) -> int:
    """The version that somebody has edited."""
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 16):
        raise BadRequest("The form is incomplete. Please reload the page.", field="version")
    return int(typed)


def field_at_fault(values: Mapping[str, Any], error: CommonroomError) -> str | None:
    """Which field of a form an error is about; the rules know of one passcode only."""
    named: str | None = error.extensions.get("field")
    if named != "passcode":
        return named
    try:
        passcode(values.get("view_passcode") or "no passcode")
    except InvalidField:
        return "view_passcode"
    return "admin_passcode"
