"""What the API shows of a page, by its kind and by what the caller may know.

Never a hash, and a code only to the author of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from commonroom.http.projections import projection
from commonroom.moments import Moment, known
from commonroom.shareables import tables
from commonroom.shareables.rules.access import Receipt, Role
from commonroom.shareables.rules.events import Visibility as RsvpVisibility
from commonroom.shareables.rules.lifecycle import Days
from commonroom.shareables.rules.polls import Results
from commonroom.shareables.rules.polls import Visibility as ResultsVisibility
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.service import polls
from commonroom.shareables.service.answers import Code
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.events import RsvpCounts, counts
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


def code_and_receipt(
    gate: PageAccess[Any], answer: tables.EventRsvp | tables.PollVote
) -> tuple[str | None, str | None]:
    """Returns the code and receipt of a guest's answer; an account's has none to be shown."""
    if answer.account_id is not None:
        return None, None
    return answer.code, gate.passes.seal_receipt(Receipt(answer.short_id, answer.code))


class SeenPage(Struct, frozen=True):
    """A page as it was opened to the caller, with what was read beside it."""

    gate: PageAccess[Page]
    ticks: Mapping[str, tables.Tick] = {}
    results: Results | None = None


async def page_view(gate: PageAccess[Page], code: Code | None = None) -> SharedPage:
    """Returns a page as the caller sees it: a poll with the results they may know."""
    match gate.page:
        case tables.Checklist() as page:
            return _checklist(page, SeenPage(gate, ticks=await ticks_of(gate.store, page)))
        case tables.Event() as page:
            return _event(page, SeenPage(gate))
        case tables.Poll() as page:
            results = await polls.results_for(of_kind(gate, tables.Poll), code)
            return _poll(page, SeenPage(gate, results=results))


def _passcodes(page: Page, seen: SeenPage) -> list[Role] | None:
    there: dict[Role, str | None] = {"view": page.view_passcode, "admin": page.admin_passcode}
    is_admin = seen.gate.is_admin
    return [role for role, hashed in there.items() if hashed is not None] if is_admin else None


def _network_count(page: tables.Event | tables.Poll, seen: SeenPage) -> int | None:
    return page.network_count if seen.gate.is_admin else None


COMMON: dict[str, Callable[..., Any]] = {
    "short_id": lambda page: format_short_id(page.short_id),
    "path": lambda page: address_of(page.short_id),
    "role": lambda _, seen: "admin" if seen.gate.is_admin else "view",
    "passcodes": _passcodes,
    "expires_at": lambda page: known(page.expires_at),
    "is_expired": lambda _, seen: seen.gate.is_closed,
    "created_at": lambda page: known(page.created_at),
    "updated_at": lambda page: known(page.updated_at),
}
_item = projection(tables.ChecklistItem, ChecklistItemView)
_tick = projection(tables.Tick, TickView)
_option = projection(tables.PollQuestionOption, PollOptionView)
_question = projection(
    tables.PollQuestion, PollQuestionView, options=lambda one: [*map(_option, one.options)]
)
_checklist = projection(
    tables.Checklist,
    ChecklistView,
    SeenPage,
    items=lambda page: [*map(_item, page.items)],
    ticks=lambda _, seen: {item_id: _tick(one) for item_id, one in seen.ticks.items()},
    **COMMON,
)
_event = projection(
    tables.Event,
    EventPageView,
    SeenPage,
    counts=lambda _, seen: counts(seen.gate),
    network_count=_network_count,
    **COMMON,
)
_poll = projection(
    tables.Poll,
    PollPageView,
    SeenPage,
    questions=lambda page: [*map(_question, page.questions)],
    results=lambda page, seen: seen.results and PollResults(page.vote_count, seen.results),
    network_count=_network_count,
    **COMMON,
)
