"""The one place that decides who may ask for what; every route states its need, and has one."""

from __future__ import annotations

import time
from enum import Enum
from hmac import compare_digest
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from commonroom.accounts.errors import ReauthenticationRequired
from commonroom.accounts.tables import Scope
from commonroom.errors import Forbidden, NoSuchPage, Unauthorized
from commonroom.http.authentication import Caller, bearer_secret, caller_of
from commonroom.http.client_address import is_this_machine
from commonroom.http.csrf import SAFE, check_origin
from commonroom.http.headers import header_in
from commonroom.http.processor_time import charge_caller

if TYPE_CHECKING:
    from commonroom.http.request import Request

FORM = "application/x-www-form-urlencoded"
MAX_TYPED = 4000


class Need(Enum):
    """What a caller must be. Whether a thing is theirs is for the room's rules to say."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"
    NOT_ACTING = "signed in, and not acting for somebody"
    WRITER = "signed in, not acting for somebody, and not with a token that may only read"
    BROWSER = "signed in with a browser, and not acting for somebody"
    RECENT_AUTH = "signed in with a browser, password given lately"
    ADMINISTRATOR = "administrator"
    ADMINISTRATOR_RECENT_AUTH = "administrator with a browser, password given lately"
    METRICS = "the token of the metrics, or the machine itself"

    # There is one of each, and what `Enum` does instead every request would feel.
    __hash__ = object.__hash__


NO_TOKEN = frozenset({Need.BROWSER, Need.RECENT_AUTH, Need.ADMINISTRATOR_RECENT_AUTH})
"""What a program cannot do for anybody: a thief of its token would stay for ever."""
FOR_ADMINISTRATORS = frozenset({Need.ADMINISTRATOR, Need.ADMINISTRATOR_RECENT_AUTH})
AFTER_PASSWORD = frozenset({Need.RECENT_AUTH, Need.ADMINISTRATOR_RECENT_AUTH})
REMEMBERED = frozenset({Need.ANYONE, Need.SIGNED_IN})
"""Where the caller may have been recognised a few seconds ago, on engines without a change number.
Callers who change or delete anything, administer, or look at their own account are looked up:
routes that state another need, and all methods that are not safe."""


async def check_access(request: Request, *, fresh: bool = False) -> None:
    """Lets a request through to its route, or says why not; `fresh` looks the caller up."""
    check_origin(request.scope)
    need = request.endpoint.need
    if need is Need.METRICS:
        check_metrics_access(request)
        return
    now, method = time.time(), request.method
    fresh = fresh or need not in REMEMBERED or method not in SAFE
    caller = await caller_of(request, now, fresh=fresh)
    account = caller.account
    await charge_caller(request.scope, None if account is None else account.user_id)
    refusal = why_not(need, caller, method, now)
    if isinstance(refusal, ReauthenticationRequired):
        refusal.typed = await _typed(request)
    if refusal is not None:
        raise refusal


async def _typed(request: Request) -> str:
    """What a form sent, without its passwords; nothing of what is too long to carry along."""
    kind = header_in(request.scope, "content-type") or ""
    if not kind.startswith(FORM):
        return ""
    fields = parse_qsl((await request.body()).decode(errors="replace"), keep_blank_values=True)
    typed = urlencode([(name, value) for name, value in fields if "password" not in name])
    return typed if len(typed) <= MAX_TYPED else ""


def why_not(need: Need, caller: Caller, method: str, now: float) -> Exception | None:
    """Why a caller may not; None where they may."""
    if need is Need.ANYONE:
        return None
    if caller.account is None:
        return Unauthorized("Please sign in, or send an API token.")
    if need is Need.SIGNED_IN and caller.token is None:
        return None  # most requests: a browser that is signed in
    why = None
    if not caller.may(_scope(need, method)):
        why = "This token does not have permission to do that."
    elif need is not Need.SIGNED_IN and caller.acting_as is not None:
        why = "Switch back to your own profile first."
    elif need in NO_TOKEN and caller.session is None:
        why = "API tokens cannot do this. Sign in with a browser."
    elif need in FOR_ADMINISTRATORS and not caller.is_admin:
        why = "Only an administrator can do this."
    elif need in AFTER_PASSWORD and not caller.confirmed_lately(now):
        return ReauthenticationRequired()
    return None if why is None else Forbidden(why)


def _scope(need: Need, method: str) -> Scope:
    if need in FOR_ADMINISTRATORS:
        return "admin"
    return "read" if method in SAFE and need is not Need.WRITER else "write"


def check_metrics_access(request: Request) -> None:
    """Refuses strangers; there is nothing to be read where metrics are not switched on."""
    if not request.settings.metrics:
        raise NoSuchPage
    token = request.settings.metrics_token
    # A token that is set counts for the machine, too: a proxy may add nothing at all.
    if _has_token(request, token) if token else is_this_machine(request.scope):
        return
    raise Unauthorized(
        "Send the token that is set as “metrics_token”, or ask from the machine itself."
    )


def _has_token(request: Request, token: str) -> bool:
    secret = bearer_secret(request.scope) or ""
    return compare_digest(secret.encode("latin-1"), token.encode())
