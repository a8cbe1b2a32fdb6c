"""Sign-up invites: a link of a room lets people sign up, as an administrator's invitation does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias, TypedDict

from litestar import Request

from commonroom.accounts.errors import LinkExpired
from commonroom.errors import CommonroomError
from commonroom.store import Store, Write

InviteLookup: TypeAlias = Callable[[Store, float, str], Awaitable[list[Write]]]
"""Gives what must hold while an account is made with a link of a room.

Refuses with 404 where the link is not one of the room's, and with 410 where it works no longer.
"""

UNKNOWN, GONE = 404, 410


class SignupInvite(TypedDict):
    """What somebody signs up with: an administrator's invitation, or what a room vouches for."""

    invitation: str | None
    vouchers: Sequence[Write]


async def find_signup_invite(
    request: Request[Any, Any, Any], now: float, link: str
) -> SignupInvite:
    """What a link is good for; one that no room knows is taken for an administrator's."""
    state = request.app.state
    lookups: Sequence[InviteLookup] = state.get("signup_invites", ())
    for look_up in lookups if link else ():
        try:
            return SignupInvite(invitation=None, vouchers=await look_up(state.store, now, link))
        except CommonroomError as refusal:
            if refusal.status == GONE:
                raise LinkExpired(refusal.detail) from None
            if refusal.status != UNKNOWN:
                raise
    return SignupInvite(invitation=link or None, vouchers=())
