"""Sign-up invites: links of a room with which a person may make an account."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from msgspec import Struct

from commonroom.store import Store, Write

InviteLookup: TypeAlias = Callable[[Store, float, str], Awaitable[list[Write]]]
"""Returns what must hold while an account is made with a link of a room.

Refuses with 404 where the link is not one of the room's, and with 410 where it works no longer.
"""


class SignupInvites(Struct, frozen=True):
    """The links of a room."""

    checks: InviteLookup
