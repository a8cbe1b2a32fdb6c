"""Who asks for a page, and with what in hand: every operation comes in through here."""

from __future__ import annotations

import time
from typing import Annotated, Any, TypeAlias

from commonroom.errors import BadRequest
from commonroom.shareables.entering import account_of, limits_of, passes_of
from commonroom.shareables.rules.access import Role
from commonroom.shareables.service.answers import Code, account_receipt
from commonroom.shareables.service.gate import Opened, Page, Shown, opened
from commonroom.shareables.service.passes import LONGEST
from commonroom.shareables.write_limits import count_size
from commonroom.web.arguments import Header
from commonroom.web.csrf import SAFE
from commonroom.web.headers import header_in
from commonroom.web.request import Request

ONE = "/shareables/{short_id:str}"
PASS, CODE = "X-Shareable-Pass", "X-Answer-Code"

HeldPass: TypeAlias = Annotated[
    str | None,
    Header(
        PASS,
        "A pass for the page: its creator’s, or one that a passcode gave.",
        longest=LONGEST,
    ),
]
HeldCode: TypeAlias = Annotated[
    str | None,
    Header(
        CODE,
        "The code or receipt of the caller’s answer; not needed for an account’s answer.",
        longest=LONGEST,
    ),
]


async def entered(
    request: Request, short_id: str, held: str | None, *, want: Role = "view"
) -> Opened[Page]:
    """The page, opened to whoever asks."""
    _check_length(PASS, held)
    shown = Shown(
        tokens=() if held is None else (held,),
        account_id=account_of(request),
        address=_address(request),
        limits=limits_of(request),
    )
    passes = passes_of(request)
    gate = await opened(request.store, passes, time.time(), short_id, shown, want=want)
    count_size(request, gate)
    return gate


def code_of(request: Request, gate: Opened[Any], held: str | None) -> Code:
    """Which answer is theirs: a code's, or their account's; refused where nobody could say."""
    code = maybe_code(request, held) or account_receipt(gate)
    if code is None:
        raise BadRequest("Send the code you were given with your answer.", field=CODE)
    return code


def maybe_code(request: Request, held: str | None) -> Code | None:
    """Which answer is theirs, if they show a code."""
    _check_length(CODE, held)
    return None if not held else passes_of(request).opened_receipt(held) or held


def _address(request: Request) -> str:
    """From where they ask; whoever only looks and shows no code guesses nothing to be counted."""
    scope = request.scope
    looks = scope["method"] in SAFE and header_in(scope, CODE.lower()) is None
    return "" if looks else request.client_address


def _check_length(header: str, value: str | None) -> None:
    if value is not None and len(value) > LONGEST:
        raise BadRequest("This value is too long.", field=header)
