"""What the forms of all kinds of pages have in common."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar, get_args

from msgspec import field
from msgspec.structs import replace

from commonroom.errors import BadRequest, CommonroomError, InvalidField, InvalidFields
from commonroom.shareables.pages.drafts.rows import Row, compare
from commonroom.shareables.pages.drafts.times import TimeQuestion, UncertainTimes
from commonroom.shareables.rules.access import passcode
from commonroom.shareables.rules.lifecycle import Days
from commonroom.shareables.service.create import Passcodes
from commonroom.web.forms import Filled

SETTINGS = frozenset({"name", "expires_after", "view_passcode", "admin_passcode"})
EDITING = frozenset({"version", "seen", "confirm"})

D = TypeVar("D", bound="AnyDraft")


class AnyDraft(Filled, frozen=True):
    """What stands in the form of a page."""

    rows: list[Row] = field(default_factory=list)
    is_rearranged: bool = False
    """Whether a button moved a row or added one: nothing is to be saved yet."""
    others: dict[str, str] = field(default_factory=dict)
    """What somebody else has changed meanwhile, by field."""
    time_questions: dict[str, TimeQuestion] = field(default_factory=dict)
    """What is asked about times, by field."""

    def text(self, name: str) -> str:
        """What stands in a field; nothing where it is empty."""
        return str(self.values.get(name, ""))

    @property
    def zone(self) -> str:
        """The zone that its times are in."""
        return self.text("time_zone")

    @property
    def empty_row(self) -> Row:
        """A row to type into."""
        return Row()

    def mark(self) -> None:
        """Says beside each row what is wrong with it; there are none."""


def refused(draft: D, error: CommonroomError | None) -> D:
    """A draft with what is wrong beside it, where anything is."""
    if error is None:
        return draft
    draft.mark()
    if isinstance(error, InvalidFields):
        errors = error.by_field
    else:
        named = field_of_error(draft.values, error)
        errors = {} if named is None else {named: error.detail}
    questions = error.questions if isinstance(error, UncertainTimes) else {}
    message = None if errors else error.detail
    return replace(draft, errors=errors, wrong_altogether=message, time_questions=questions)


def compared(draft: D, theirs: AnyDraft, changed: Collection[str]) -> D:
    """A draft beside the page as somebody else has saved it meanwhile.

    Saved again, it takes the place of what they saved, but for what they have added.
    """
    compare(draft.rows, theirs.rows, set(draft.text("seen").split()))
    kept = {name: theirs.text(name) for name in ("version", "seen")}
    others = {
        name: theirs.text(name)
        for name in changed
        if name in theirs.values and theirs.text(name) != draft.text(name)
    }
    message = "Someone else saved this page in the meantime."
    return replace(draft, values={**draft.values, **kept}, others=others, wrong_altogether=message)


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


def field_of_error(values: Mapping[str, Any], error: CommonroomError) -> str | None:
    """Which field of a form an error is about; the rules know of one passcode only."""
    named: str | None = error.extensions.get("field")
    if named != "passcode":
        return named
    try:
        passcode(values.get("view_passcode") or "no passcode")
    except InvalidField:
        return "view_passcode"
    return "admin_passcode"
