"""What the gate is shown of a request, by the API and by the pages alike."""

from __future__ import annotations

from typing import Any

from litestar import Request

from commonroom.settings import Settings, secrets_of
from commonroom.shareables.rules.limits import MEGABYTE, Limits
from commonroom.shareables.service.passes import PURPOSE, Passes
from commonroom.web.authentication import Caller
from commonroom.web.csrf import SAFE


def account_of(request: Request[Any, Any, Any]) -> str | None:
    """The account that counts: not one that acts for a child, or whose token may not do this."""
    caller: Caller = request.scope["state"]["caller"]
    if caller.account is None or caller.acting_as is not None:
        return None
    may = caller.may("read" if request.scope["method"] in SAFE else "write")
    return caller.account.user_id if may else None


def limits_of(request: Request[Any, Any, Any]) -> Limits:
    """What an administrator allows whoever asks."""
    settings: Settings = request.scope["litestar_app"].state.settings
    caller: Caller = request.scope["state"]["caller"]
    return Limits(
        makers=settings.page_makers,
        has_account=caller.account is not None and caller.may("write"),
        pages_per_day=settings.guest_pages_per_day,
        guest_bytes=settings.guest_storage_mb * MEGABYTE,
        answers=settings.answers_per_page,
    )


def passes_of(request: Request[Any, Any, Any]) -> Passes:
    """What seals and opens this installation's passes; made when the first is needed."""
    state = request.scope["litestar_app"].state
    try:
        passes: Passes = state.passes
    except AttributeError:
        passes = state.passes = Passes(secrets_of(state.settings).derived(PURPOSE))
    return passes
