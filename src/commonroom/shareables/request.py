"""What the gate is shown of a request, by the API and by the pages alike."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, TypeAlias, get_args

from commonroom.errors import BadRequest
from commonroom.http.arguments import From, Header
from commonroom.http.csrf import SAFE
from commonroom.http.headers import cookie_in, header_in
from commonroom.http.request import Request
from commonroom.joins.attachments import AttachmentKeeper
from commonroom.joins.rooms import open_offers
from commonroom.settings import secrets_of
from commonroom.shareables.rules.access import Role, Standing
from commonroom.shareables.rules.limits import ShareableLimits
from commonroom.shareables.service.answers import Code, account_receipt
from commonroom.shareables.service.gate import (
    P,
    Page,
    PageAccess,
    ShareableVisitor,
    of_kind,
    open_page,
    readable_via_plan,
)
from commonroom.shareables.service.listing import ATTACHED_AS, attached_id
from commonroom.shareables.service.passes import MAX_PASS, PURPOSE, Passes
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.shareables.write_limits import count_size

ONE = "/s/{short_id:str}"
"""A page, as a route."""
ADMIN = f"{ONE}/admin"
LEADS_TO = "/s/{short_id}"
"""Where most forms lead: back to the page."""
PASS_COOKIES: dict[Standing, str] = {one: f"pass-{one}" for one in get_args(Standing)}
"""One for each standing: a new pass takes the place of the one that it ended."""
PLAN_COOKIE = "pass-plan"
"""Beside the others: a person who also knows the passcode keeps what they got for it."""
PASS = Header(
    "X-Shareable-Pass",
    "A pass for the page: its creator’s, or one that a passcode gave.",
    longest=MAX_PASS,
)
CODE = Header(
    "X-Answer-Code",
    "The code or receipt of the caller’s answer; not needed for an account’s answer.",
    longest=MAX_PASS,
)


def gate_for(kind: type[P] | None = None, want: Role = "view") -> From:
    """Injects the page of a request's path, opened to the caller."""

    async def resolve(request: Request) -> PageAccess[Any]:
        return await open_to(request, visitor_of(request), kind, want)

    return From(resolve, headers=(PASS,))


async def open_to(
    request: Request, visitor: ShareableVisitor, kind: type[P] | None = None, want: Role = "view"
) -> PageAccess[Any]:
    """Returns the page of a request's path, opened to a visitor: one request."""
    gate: PageAccess[Page] = await open_page(visitor, request.path_params["short_id"], want=want)
    count_size(request, gate)
    return gate if kind is None else of_kind(gate, kind)


PageGate: TypeAlias = Annotated[PageAccess[Page], gate_for()]
PageAdmin: TypeAlias = Annotated[PageAccess[Page], gate_for(want="admin")]
ChecklistGate: TypeAlias = Annotated[PageAccess[Checklist], gate_for(Checklist)]
ChecklistAdmin: TypeAlias = Annotated[PageAccess[Checklist], gate_for(Checklist, "admin")]
EventGate: TypeAlias = Annotated[PageAccess[Event], gate_for(Event)]
EventAdmin: TypeAlias = Annotated[PageAccess[Event], gate_for(Event, "admin")]
PollGate: TypeAlias = Annotated[PageAccess[Poll], gate_for(Poll)]
PollAdmin: TypeAlias = Annotated[PageAccess[Poll], gate_for(Poll, "admin")]

HeldCode: TypeAlias = Annotated[str | None, CODE]


def visitor_of(request: Request) -> ShareableVisitor:
    """Returns the caller: browsers keep passes in cookies, programs send one in a header."""
    # A caller who only looks and shows no code guesses nothing that is counted by address.
    looks = request.scope["method"] in SAFE and _held(request, CODE) is None
    kept = [cookie_in(request.scope, name) for name in (*PASS_COOKIES.values(), PLAN_COOKIE)]
    return ShareableVisitor(
        request.store,
        passes_of(request),
        request.now,
        tokens=tuple(token for token in (_held(request, PASS), *kept) if token),
        account_id=account_of(request),
        address="" if looks else request.client_address,
        limits=limits_of(request),
        is_let_in=partial(_is_let_in, request),
    )


async def _is_let_in(request: Request, page: Page, plan_id: str) -> bool:
    """Returns whether a plan carries a page for the caller, attached by its maker: two requests."""
    if request.caller.account is None:
        return False
    for keeper in open_offers(request, AttachmentKeeper):
        found = await keeper.find(request.context, plan_id, ATTACHED_AS, attached_id(page))
        if found is not None and readable_via_plan(request.now, page, found.attached_by):
            return True
    return False


def code_of(gate: PageAccess[Any], held: str | None) -> Code:
    """Which answer is theirs: a code's, or their account's; refused where nobody could say."""
    code = maybe_code(gate, held) or account_receipt(gate)
    if code is None:
        raise BadRequest("Send the code you were given with your answer.", field=CODE.name)
    return code


def maybe_code(gate: PageAccess[Any], held: str | None) -> Code | None:
    """Returns which answer is theirs, if they show a code."""
    _check_length(CODE, held)
    return None if not held else gate.passes.open_receipt(held) or held


def _held(request: Request, header: Header) -> str | None:
    value = header_in(request.scope, header.name.lower())
    _check_length(header, value)
    return value


def _check_length(header: Header, value: str | None) -> None:
    if value is not None and len(value) > header.longest:
        raise BadRequest("This value is too long.", field=header.name)


def account_of(request: Request) -> str | None:
    """The account that counts: not one that acts for a child, or whose token may not do this."""
    caller = request.caller
    if caller.account is None or caller.acting_as is not None:
        return None
    may = caller.may("read" if request.scope["method"] in SAFE else "write")
    return caller.account.user_id if may else None


def limits_of(request: Request) -> ShareableLimits:
    """Returns what an administrator allows the caller."""
    caller = request.caller
    has_account = caller.account is not None and caller.may("write")
    return ShareableLimits.of(request.settings, has_account=has_account)


def passes_of(request: Request) -> Passes:
    """Returns what seals and opens this installation's passes; made when the first is needed."""
    state = request.app.state
    try:
        passes: Passes = state.passes
    except AttributeError:
        passes = state.passes = Passes(secrets_of(request.settings).derived(PURPOSE))
    return passes
