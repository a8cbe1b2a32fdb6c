"""What the API shows of a page, by its kind and by what the caller may know.

Never a hash, and a code only to the author of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import astuple

from commonroom.accounts.api.views import Moment
from commonroom.moments import known
from commonroom.shareables import tables
from commonroom.shareables.rules.access import Receipt, Role
from commonroom.shareables.rules.events import Visibility as RsvpVisibility
from commonroom.shareables.rules.lifecycle import Days
from commonroom.shareables.rules.polls import Results
from commonroom.shareables.rules.polls import Visibility as ResultsVisibility
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.service import answers
from commonroom.shareables.service.events import Counts, counts
from commonroom.shareables.service.gate import Page, PageAccess, of_kind

ShortId: TypeAlias = Annotated[str, Meta(description="As shown to people: `AAA-AAA-00000`.")]


SharedNetwork: TypeAlias = Annotated[
    bool, Meta(description="Whether many people may answer from one network.")
]
NetworkCount: TypeAlias = Annotated[
    int | None,
    Meta(description="From how many networks guests have answered; null to viewers."),
]


HeldPass: TypeAlias = Annotated[
    str, Meta(description="Send it as `X-Shareable-Pass` with every request for this page.")
]
CodeSeen: TypeAlias = Annotated[
    str | None,
    Meta(
        description=(
            "Shown once: a guest needs it to edit or withdraw the answer. Null with an "
            "account, which needs none."
        )
    ),
]
ReceiptSeen: TypeAlias = Annotated[
    str | None, Meta(description="A receipt that programs can keep instead of the code.")
]


class Common(Struct, frozen=True, tag_field="kind"):
    """What all pages show."""

    short_id: ShortId
    path: Annotated[str, Meta(description="Path of the page.")]
    name: str
    role: Annotated[Role, Meta(description="The caller’s role on the page.")]
    passcodes: Annotated[
        list[Role] | None, Meta(description="Which passcodes it has; null to viewers.")
    ]
    expires_after: Days
    expires_at: Moment | None
    is_expired: bool
    created_at: Moment | None
    updated_at: Moment | None
    version: int


class ChecklistItemView(Struct, frozen=True, gc=False):
    """A line of a checklist."""

    checklist_item_id: str
    name: str
    note: str | None


class TickView(Struct, frozen=True, gc=False):
    """Who ticked an item, and when."""

    at: Moment
    by: str | None


class ChecklistView(Common, frozen=True, tag="checklist"):
    """Things to tick off."""

    note: str | None
    items: list[ChecklistItemView]
    ticks_shared: bool
    ticks: Annotated[dict[str, TickView], Meta(description="By item id, where they are shared.")]


class RsvpCounts(Struct, frozen=True):
    """How many come."""

    going: int
    maybe: int
    not_going: int
    guests: Annotated[int, Meta(description="Guests brought along by those who are coming.")]


class EventPageView(Common, frozen=True, tag="event"):
    """Something to come to."""

    start_time: Moment
    end_time: Moment | None
    type: Literal["inPerson", "Virtual"]
    location: str | None
    description: Annotated[str | None, Meta(description="Markdown.")]
    is_rsvp_required: bool
    rsvp_deadline: Moment | None
    rsvp_visibility: RsvpVisibility
    time_zone: str | None
    counts: Annotated[RsvpCounts | None, Meta(description="Null where the caller may not see it.")]
    shared_network: SharedNetwork
    network_count: NetworkCount


class PollOptionView(Struct, frozen=True, gc=False):
    """One of the answers to choose from."""

    poll_question_option_id: str
    label: str


class PollQuestionView(Struct, frozen=True):
    """One question of a poll."""

    poll_question_id: str
    title: str
    is_multiple: bool
    is_required: bool
    options: list[PollOptionView]


class PollResults(Struct, frozen=True):
    """How a poll stands."""

    vote_count: Annotated[int, Meta(description="How many have voted.")]
    options: Annotated[Results, Meta(description="By option id.")]


class PollPageView(Common, frozen=True, tag="poll"):
    """Questions to vote on."""

    note: str | None
    results_visibility: ResultsVisibility
    closes_at: Moment | None
    is_closed: Annotated[bool, Meta(description="Whether it was closed manually.")]
    questions: list[PollQuestionView]
    results: Annotated[
        PollResults | None, Meta(description="Null where the caller may not see it (yet).")
    ]
    shared_network: SharedNetwork
    network_count: NetworkCount


SharedPage: TypeAlias = ChecklistView | EventPageView | PollPageView


class AnswerOriginView(Struct, frozen=True):
    """Where an answer came from; no address is kept."""

    answer_id: Annotated[str, Meta(description="The id by which an admin can remove it.")]
    has_account: bool
    network: Annotated[
        str | None,
        Meta(description="The same for answers from one network, on this page alone."),
    ]
    from_network: Annotated[int, Meta(description="How many answers came from there.")]


OriginSeen: TypeAlias = Annotated[AnswerOriginView | None, Meta(description="Null to viewers.")]


def shared_page(
    gate: PageAccess[Page],
    results: Results | None = None,
    ticks: Mapping[str, tables.Tick] | None = None,
) -> SharedPage:
    """Returns a page as the caller sees it: a poll with the results they may know."""
    match gate.page:
        case tables.Checklist() as page:
            return _checklist(page, ticks or {}, _common(gate))
        case tables.Event() as page:
            common = _common(gate) | _networks(gate, page)
            return _event(page, counts(of_kind(gate, tables.Event)), common)
        case tables.Poll() as page:
            return _poll(page, results, _common(gate) | _networks(gate, page))


def code_and_receipt(
    gate: PageAccess[Any], answer: tables.EventRsvp | tables.PollVote
) -> tuple[str | None, str | None]:
    """Returns the code and receipt of a guest's answer; an account's has none to be shown."""
    if answer.account_id is not None:
        return None, None
    return answer.code, gate.passes.seal_receipt(Receipt(answer.short_id, answer.code))


def origin_view(one: answers.AnswerOrigin | None) -> AnswerOriginView | None:
    """Returns where an answer came from, for an admin."""
    if one is None:
        return None
    return AnswerOriginView(one.answer_id, one.has_account, one.network, one.from_network)


def _common(gate: PageAccess[Page]) -> dict[str, Any]:
    page = gate.page
    return {
        "short_id": format_short_id(page.short_id),
        "path": address_of(page.short_id),
        "name": page.name,
        "role": "admin" if gate.is_admin else "view",
        "passcodes": _passcodes(page) if gate.is_admin else None,
        "expires_after": page.expires_after,
        "expires_at": known(page.expires_at),
        "is_expired": gate.is_closed,
        "created_at": known(page.created_at),
        "updated_at": known(page.updated_at),
        "version": page.version,
    }


def _networks(gate: PageAccess[Page], page: tables.Event | tables.Poll) -> dict[str, Any]:
    return {
        "shared_network": page.shared_network,
        "network_count": page.network_count if gate.is_admin else None,
    }


def _passcodes(page: Page) -> list[Role]:
    there: dict[Role, str | None] = {"view": page.view_passcode, "admin": page.admin_passcode}
    return [role for role, hashed in there.items() if hashed is not None]


def _checklist(
    page: tables.Checklist, ticks: Mapping[str, tables.Tick], common: dict[str, Any]
) -> ChecklistView:
    return ChecklistView(
        **common,
        note=page.note,
        items=[ChecklistItemView(one.checklist_item_id, one.name, one.note) for one in page.items],
        ticks_shared=page.ticks_shared,
        ticks={item_id: TickView(one.at, one.by) for item_id, one in ticks.items()},
    )


def _event(page: tables.Event, counted: Counts | None, common: dict[str, Any]) -> EventPageView:
    return EventPageView(
        **common,
        start_time=page.start_time,
        end_time=page.end_time,
        type=page.type,
        location=page.location,
        description=page.description,
        is_rsvp_required=page.is_rsvp_required,
        rsvp_deadline=page.rsvp_deadline,
        rsvp_visibility=page.rsvp_visibility,
        time_zone=page.time_zone,
        counts=None if counted is None else RsvpCounts(*astuple(counted)),
    )


def _poll(page: tables.Poll, results: Results | None, common: dict[str, Any]) -> PollPageView:
    return PollPageView(
        **common,
        note=page.note,
        results_visibility=page.results_visibility,
        closes_at=page.closes_at,
        is_closed=page.is_closed,
        questions=[_question(one) for one in page.questions],
        results=None if results is None else PollResults(page.vote_count, results),
    )


def _question(one: tables.PollQuestion) -> PollQuestionView:
    options = [
        PollOptionView(option.poll_question_option_id, option.label) for option in one.options
    ]
    return PollQuestionView(
        one.poll_question_id, one.title, one.is_multiple, one.is_required, options
    )
