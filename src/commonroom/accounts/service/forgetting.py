"""A forgotten password, where letters are sent."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts import rules
from commonroom.accounts.service.passwords import make_reset_link
from commonroom.accounts.service.throttle import (
    FORGOTTEN_FROM_ADDRESS,
    FORGOTTEN_OF_ACCOUNT,
    count_try,
)
from commonroom.accounts.tables import User, claim_on_address, user_by_id
from commonroom.store import Store


class Forgotten(Struct, frozen=True):
    """Whom to write to, and what."""

    user: User
    address: str
    secret: str | None
    """Of a reset link; None where the address was never confirmed: it may be a stranger's."""


async def count_asking(store: Store, now: float, *, email: str, address: str) -> None:
    """Refuses whoever asks too often, for somebody or from somewhere, known here or not."""
    await count_try(store, now, FORGOTTEN_FROM_ADDRESS, address)
    await count_try(store, now, FORGOTTEN_OF_ACCOUNT, email)


async def forgotten_by(store: Store, now: float, email: str) -> Forgotten | None:
    """Who forgot their password; None where nobody with this address can sign in.

    Whoever asked must not learn how this ends, nor how long it takes.
    """
    sought = rules.sought_address(email)
    claim = await store.get(claim_on_address(address=sought)) if sought is not None else None
    user = await store.get(user_by_id(user_id=claim.user_id)) if claim is not None else None
    if user is None or user.email is None or user.disabled_at is not None:
        return None
    if user.email_confirmed_at is None:
        return Forgotten(user, user.email, None)
    return Forgotten(user, user.email, await make_reset_link(store, now, user))
