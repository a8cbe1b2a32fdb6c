"""What the gate is shown of a request, by the API and by the pages alike."""

from __future__ import annotations

from typing import Any, get_args

from commonroom.errors import BadRequest
from commonroom.settings import secrets_of
from commonroom.shareables.rules.access import Role, Standing
from commonroom.shareables.rules.limits import MEGABYTE, Limits
from commonroom.shareables.service.gate import Opened, P, Page, Visitor, of_kind, open_page
from commonroom.shareables.service.passes import LONGEST, PURPOSE, Passes
from commonroom.shareables.write_limits import count_size
from commonroom.web.arguments import From, Header
from commonroom.web.csrf import SAFE
from commonroom.web.headers import cookie_in, header_in
from commonroom.web.request import Request

PASS_COOKIES: dict[Standing, str] = {one: f"pass-{one}" for one in get_args(Standing)}
"""One for each standing: a new pass takes the place of the one that it ended."""
PASS = Header(
    "X-Shareable-Pass",
    "A pass for the page: its creator’s, or one that a passcode gave.",
    longest=LONGEST,
)
CODE = Header(
    "X-Answer-Code",
    "The code or receipt of the caller’s answer; not needed for an account’s answer.",
    longest=LONGEST,
)


def browser_gate(kind: type[P] | None = None, want: Role = "view") -> From:
    """Injects the page, opened to whoever asks with the passes that their browser keeps."""

    async def resolve(request: Request) -> Opened[Any]:
        return await open_to(request, browser_visitor(request), kind, want)

    return From(resolve)


def api_gate(kind: type[P] | None = None, want: Role = "view") -> From:
    """Injects the page, opened to whoever asks with a pass in a header."""

    async def resolve(request: Request) -> Opened[Any]:
        return await open_to(request, api_visitor(request), kind, want)

    return From(resolve, headers=(PASS,))


async def open_to(
    request: Request, visitor: Visitor, kind: type[P] | None = None, want: Role = "view"
) -> Opened[Any]:
    """The page of a request's path, opened to a visitor: one request."""
    gate: Opened[Page] = await open_page(visitor, request.path_params["short_id"], want=want)
    count_size(request, gate)
    return gate if kind is None else of_kind(gate, kind)


def browser_visitor(request: Request) -> Visitor:
    """Whoever asks with a browser, which keeps passes in cookies."""
    found = (cookie_in(request.scope, name) for name in PASS_COOKIES.values())
    return visitor_of(request, *(token for token in found if token))


def api_visitor(request: Request) -> Visitor:
    """Whoever asks with a program, which shows a pass in a header."""
    token = held_in(request, PASS)
    # Whoever only looks and shows no code guesses nothing that is counted by address.
    looks = request.scope["method"] in SAFE and held_in(request, CODE) is None
    return visitor_of(request, *(() if token is None else (token,)), knows_address=not looks)


def visitor_of(request: Request, *tokens: str, knows_address: bool = True) -> Visitor:
    """Whoever asks, with these tokens."""
    return Visitor(
        request.store,
        passes_of(request),
        request.now,
        tokens=tokens,
        account_id=account_of(request),
        address=request.client_address if knows_address else "",
        limits=limits_of(request),
    )


def held_in(request: Request, header: Header) -> str | None:
    """What a header of a request holds; refused where it is longer than any of ours."""
    value = header_in(request.scope, header.name.lower())
    if value is not None and len(value) > header.longest:
        raise BadRequest("This value is too long.", field=header.name)
    return value


def account_of(request: Request) -> str | None:
    """The account that counts: not one that acts for a child, or whose token may not do this."""
    caller = request.caller
    if caller.account is None or caller.acting_as is not None:
        return None
    may = caller.may("read" if request.scope["method"] in SAFE else "write")
    return caller.account.user_id if may else None


def limits_of(request: Request) -> Limits:
    """What an administrator allows whoever asks."""
    settings, caller = request.settings, request.caller
    return Limits(
        makers=settings.page_makers,
        has_account=caller.account is not None and caller.may("write"),
        pages_per_day=settings.guest_pages_per_day,
        guest_bytes=settings.guest_storage_mb * MEGABYTE,
        answers=settings.answers_per_page,
    )


def passes_of(request: Request) -> Passes:
    """What seals and opens this installation's passes; made when the first is needed."""
    state = request.scope["litestar_app"].state
    try:
        passes: Passes = state.passes
    except AttributeError:
        passes = state.passes = Passes(secrets_of(request.settings).derived(PURPOSE))
    return passes
