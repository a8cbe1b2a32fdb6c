"""What programs send about pages; the rules say in a sentence what cannot be taken."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from commonroom.http.bodies import Body
from commonroom.shareables.rules.access import MAX_PASSCODE, MIN_NUMBER, MIN_PASSCODE
from commonroom.shareables.rules.checklists import TypedChecklist
from commonroom.shareables.rules.events import TypedEvent
from commonroom.shareables.rules.lifecycle import Days
from commonroom.shareables.rules.polls import TypedPollPage
from commonroom.shareables.rules.typed import Line, When

ONE = "/shareables/{short_id:str}"
"""A page, as a route."""

Passcode: TypeAlias = Annotated[
    str,
    Meta(
        max_length=4 * MAX_PASSCODE,
        description=(
            f"{MIN_PASSCODE} to {MAX_PASSCODE} characters (at least {MIN_NUMBER} "
            "if only digits), and not a common one. Shorter ones from earlier still work."
        ),
    ),
]
Version: TypeAlias = Annotated[
    int,
    Meta(
        ge=1,
        le=2**53,
        description="The version of the page as it was read; an outdated one is answered with 409.",
    ),
]


ConfirmPast: TypeAlias = Annotated[
    bool, Meta(description="Confirms a start, deadline or close in the past.")
]


class NewChecklist(TypedChecklist, kw_only=True, frozen=True):
    """A checklist to be."""

    expires_after: Days = 7
    view_passcode: Passcode | None = None
    admin_passcode: Passcode | None = None


class ChecklistEdit(TypedChecklist, kw_only=True, frozen=True):
    """A checklist, edited."""

    version: Version


class NewEvent(TypedEvent, kw_only=True, frozen=True):
    """An event to be; its page lives until a week after its end, or longer."""

    confirm_past: ConfirmPast = False
    expires_after: Days = 7
    view_passcode: Passcode | None = None
    admin_passcode: Passcode | None = None


class EventEdit(TypedEvent, kw_only=True, frozen=True):
    """An event, edited."""

    confirm_past: ConfirmPast = False
    version: Version


class NewPollPage(TypedPollPage, kw_only=True, frozen=True):
    """A poll to be."""

    confirm_past: ConfirmPast = False
    expires_after: Days = 7
    view_passcode: Passcode | None = None
    admin_passcode: Passcode | None = None


class PollEdit(TypedPollPage, kw_only=True, frozen=True):
    """A poll, edited."""

    confirm_past: ConfirmPast = False
    version: Version
    confirm: Annotated[
        bool, Meta(description="Whether options that people chose may be removed.")
    ] = False


class Ticked(Body):
    """Who ticks."""

    by: Line | None = None


class Clone(Body, kw_only=True):
    """What is to be otherwise in a page like another; what is left out is as it was.

    An event that is over needs a new start, and a poll that closed by itself a new close.
    """

    start_time: When | UnsetType = UNSET
    end_time: When | UnsetType | None = UNSET
    rsvp_deadline: When | UnsetType | None = UNSET
    closes_at: When | UnsetType | None = UNSET
    confirm_past: ConfirmPast = False


class PasscodeTyped(Body):
    """A passcode."""

    passcode: Passcode


class Extension(Body):
    """How long a page is to live."""

    days: Annotated[Days, Meta(description="Days from now; never makes it shorter.")]
