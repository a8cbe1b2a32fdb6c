"""Sign-up invites: a link of a room lets people sign up, as an administrator's invitation does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from commonroom.accounts.errors import LinkExpired
from commonroom.errors import CommonroomError
from commonroom.store import Store, Write

if TYPE_CHECKING:
    from commonroom.web.request import Request

InviteLookup: TypeAlias = Callable[[Store, float, str], Awaitable[list[Write]]]
"""Gives what must hold while an account is made with a link of a room.

Refuses with 404 where the link is not one of the room's, and with 410 where it works no longer.
"""

UNKNOWN, GONE = 404, 410


class SignupInvite(TypedDict):
    """What somebody signs up with: an administrator's invitation, or what a room vouches for."""

    invitation: str | None
    vouchers: Sequence[Write]


async def find_signup_invite(request: Request, link: str) -> SignupInvite:
    """What a link is good for; one that no room knows is taken for an administrator's."""
    lookups: Sequence[InviteLookup] = request.app.state.get("signup_invites", ())
    for look_up in lookups if link else ():
        try:
            vouchers = await look_up(request.store, request.now, link)
            return SignupInvite(invitation=None, vouchers=vouchers)
        except CommonroomError as refusal:
            if refusal.status == GONE:
                raise LinkExpired(refusal.detail) from None
            if refusal.status != UNKNOWN:
                raise
    return SignupInvite(invitation=link or None, vouchers=())
