"""What programs send about pages; the rules say in a sentence what cannot be taken."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from commonroom.http.bodies import Body
from commonroom.shareables.rules import checklists, events, polls
from commonroom.shareables.rules.access import MAX_PASSCODE, MIN_NUMBER, MIN_PASSCODE
from commonroom.shareables.rules.lifecycle import Days
from commonroom.shareables.rules.limits import MAX_NAME, MAX_PAGE

T = TypeVar("T")

ONE = "/shareables/{short_id:str}"
"""A page, as a route."""

IN_ALL = f"A page can hold {MAX_PAGE:,} characters in total."

Name: TypeAlias = Annotated[
    str, Meta(max_length=400, description=f"1 to {MAX_NAME} characters on one line.")
]
Line: TypeAlias = Annotated[str, Meta(max_length=1000)]
Text: TypeAlias = Annotated[str, Meta(max_length=40_000)]
Id: TypeAlias = Annotated[str, Meta(max_length=100)]
KeptId: TypeAlias = Annotated[
    str, Meta(max_length=100, description="The id of an existing one; omit it for a new one.")
]
When: TypeAlias = Annotated[
    str, Meta(max_length=50, description="With its zone, such as `2026-05-31T18:00:00+02:00`.")
]
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
SharedNetwork: TypeAlias = Annotated[
    bool,
    Meta(description="Whether many people may answer from one network, such as a school’s."),
]


class ChecklistItemGiven(Body, kw_only=True):
    """A line of a checklist."""

    checklist_item_id: KeptId | None = None
    name: Line
    note: Text | None = None


class ChecklistContent(Body, kw_only=True):
    """What a checklist says."""

    name: Name
    note: Text | None = None
    items: Annotated[
        list[ChecklistItemGiven],
        Meta(
            max_length=2 * checklists.MAX_ITEMS,
            description=f"1 to {checklists.MAX_ITEMS}. {IN_ALL}",
        ),
    ]
    ticks_shared: Annotated[
        bool, Meta(description="Whether everyone sees the same ticks, or each device its own.")
    ] = False


class NewChecklist(ChecklistContent):
    """A checklist to be."""

    expires_after: Days = 7
    view_passcode: Passcode | None = None
    admin_passcode: Passcode | None = None


class ChecklistEdit(ChecklistContent, kw_only=True):
    """A checklist, edited."""

    version: Version


class EventContent(Body):
    """What an event says."""

    name: Name
    start_time: When
    end_time: When | None = None
    type: Literal["inPerson", "Virtual"] = "inPerson"
    location: Line | None = None
    description: Annotated[str, Meta(max_length=80_000, description="Markdown.")] | None = None
    is_rsvp_required: Annotated[bool, Meta(description="Whether it takes answers.")] = False
    rsvp_deadline: When | None = None
    rsvp_visibility: events.Visibility = "everyone"
    time_zone: Annotated[str, Meta(max_length=100)] | None = None
    shared_network: SharedNetwork = False
    confirm_past: ConfirmPast = False


class NewEvent(EventContent):
    """An event to be; its page lives until a week after its end, or longer."""

    expires_after: Days = 7
    view_passcode: Passcode | None = None
    admin_passcode: Passcode | None = None


class EventEdit(EventContent, kw_only=True):
    """An event, edited."""

    version: Version


class PollOptionGiven(Body, kw_only=True):
    """One of the answers to choose from."""

    poll_question_option_id: KeptId | None = None
    label: Line


class PollQuestionGiven(Body, kw_only=True):
    """A question."""

    poll_question_id: KeptId | None = None
    title: Line
    is_multiple: bool = False
    is_required: bool = False
    options: Annotated[list[PollOptionGiven], Meta(max_length=2 * polls.MAX_OPTIONS)]


class PollContent(Body, kw_only=True):
    """What a poll asks."""

    name: Name
    note: Text | None = None
    results_visibility: polls.Visibility = "always"
    closes_at: When | None = None
    questions: Annotated[
        list[PollQuestionGiven],
        Meta(
            max_length=2 * polls.MAX_QUESTIONS,
            description=f"1 to {polls.MAX_QUESTIONS}. {IN_ALL}",
        ),
    ]
    shared_network: SharedNetwork = False
    confirm_past: ConfirmPast = False


class NewPollPage(PollContent):
    """A poll to be."""

    expires_after: Days = 7
    view_passcode: Passcode | None = None
    admin_passcode: Passcode | None = None


class PollEdit(PollContent, kw_only=True):
    """A poll, edited."""

    version: Version
    confirm: Annotated[
        bool, Meta(description="Whether options that people chose may be removed.")
    ] = False


class Ticked(Body):
    """Who ticks."""

    by: Line | None = None


class EventRsvpBody(Body):
    """Whether a person comes."""

    name: Line
    response: events.Response
    guest_count: Annotated[int, Meta(ge=0, le=1000)] = 0


class VoteGiven(Body, kw_only=True):
    """What a person chose."""

    name: Line | None = None
    answers: Annotated[
        dict[Id, Annotated[list[Id], Meta(max_length=2 * polls.MAX_OPTIONS)]],
        Meta(max_length=2 * polls.MAX_QUESTIONS, description="Option ids by question id."),
    ]


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


def typed(body: Any, kind: type[T]) -> T:
    """Returns what was sent, as the rules take it."""
    return msgspec.convert(body, kind, from_attributes=True)
