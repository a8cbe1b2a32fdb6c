"""Signing up, for pages and API alike: with an invite, and the code that the first account needs.

A visitor who finds the address of a new installation is not yet its owner.
"""

from __future__ import annotations

from collections.abc import Sequence
from hmac import compare_digest
from http import HTTPStatus
from typing import TypedDict

from commonroom.accounts.context import Context
from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.service import signup
from commonroom.accounts.service.signup import NewAccount, is_set_up
from commonroom.accounts.service.throttle import (
    SIGN_UP_FROM_ADDRESS,
    Limit,
    count_try,
    finding_out_by_sign_up,
)
from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, InvalidField
from commonroom.http.client_address import is_this_machine
from commonroom.http.request import Request
from commonroom.joins.rooms import open_offers
from commonroom.joins.signup_invites import SignupInvites
from commonroom.rate_limits import network_of
from commonroom.settings import Settings, secrets_of
from commonroom.store import Store, Write

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""No two of these are taken for each other."""
LENGTH = 10
"""Characters: 31 to the power of 10 codes, almost 50 bits."""
DERIVED_BYTES = 32
"""So many more than the code has that no code is likelier than another."""
CODE_FROM_ADDRESS = Limit("first-account-code", 20, 15 * 60)


def first_account_code(settings: Settings) -> str:
    """Returns the code, the same in all processes of an installation."""
    drawn = int.from_bytes(secrets_of(settings).derived("first account", DERIVED_BYTES))
    signs = []
    for _ in range(LENGTH):
        drawn, sign = divmod(drawn, len(ALPHABET))
        signs.append(ALPHABET[sign])
    half = LENGTH // 2
    return "".join(signs[:half]) + "-" + "".join(signs[half:])


async def setup_path(store: Store, settings: Settings) -> str | None:
    """The page that makes the first account, with the code; None where there is an account."""
    if await is_set_up(store):
        return None
    return f"/setup?code={first_account_code(settings)}"


def asks_for_code(request: Request) -> bool:
    """Whether the first account needs the code: a person at the machine itself does not.

    A proxy on the same machine is no person who sits there. It says so in a header; where one does
    not, the address that people use is set, or the host that they asked for is another.
    """
    return bool(request.settings.public_address) or not is_this_machine(request.scope)


class SignupInvite(TypedDict):
    """What a person signs up with: an administrator's invitation, or what a room vouches for."""

    invitation: str | None
    vouchers: Sequence[Write]


async def find_signup_invite(request: Request, link: str) -> SignupInvite:
    """Returns what a link is good for; one that no room knows is taken for an administrator's."""
    for room in open_offers(request, SignupInvites) if link else ():
        try:
            vouchers = await room.checks(request.store, request.now, link)
            return SignupInvite(invitation=None, vouchers=vouchers)
        except CommonroomError as refusal:
            if refusal.status == HTTPStatus.GONE:
                raise LinkExpired(refusal.detail) from None
            if refusal.status != HTTPStatus.NOT_FOUND:
                raise
    return SignupInvite(invitation=link or None, vouchers=())


async def set_up(request: Request, new: NewAccount, code: str) -> User:
    """Makes the first account, by the code."""
    await check_code(request, code)
    user = await signup.set_up(request.store, request.now, new)
    request.mailer.welcome(Context(request.store, user, request.now))
    return user


async def sign_up(request: Request, new: NewAccount, *, link: str, next: str = "") -> User | None:  # noqa: A002 - the word in the address
    """Makes an account; None where an e-mail brings the link that makes it."""
    store, now, mode = request.store, request.now, request.settings.sign_up
    await count_try(store, now, SIGN_UP_FROM_ADDRESS, request.client_address)
    invite = await find_signup_invite(request, link)
    if request.mailer.sends:
        secret = await signup.request_sign_up(store, now, mode, new, link=link, next=next, **invite)
        request.mailer.finish_signing_up(new.email, secret)
        return None
    async with finding_out_by_sign_up(store, now, request.client_address, link):
        return await signup.sign_up(store, now, mode, new, **invite)


async def finish_sign_up(request: Request, secret: str, link: str) -> User:
    """Makes the account once the link of the e-mail is opened."""
    invite = await find_signup_invite(request, link)
    mode = request.settings.sign_up
    return await signup.complete_sign_up(request.store, request.now, mode, secret, **invite)


async def check_code(request: Request, typed: str) -> None:
    """Refuses a first account without the code, where it is needed."""
    store = request.store
    if not asks_for_code(request) or await is_set_up(store):
        return
    if not typed.strip():
        raise InvalidField("code", "Enter the code that Commonroom printed when it started.")
    network = network_of(request.client_address)
    await count_try(store, request.now, CODE_FROM_ADDRESS, network)
    if not compare_digest(_plain(typed), _plain(first_account_code(request.settings))):
        raise InvalidField(
            "code", "Wrong code. Enter the code that Commonroom printed when it started."
        )


def _plain(code: str) -> bytes:
    """Returns a code however it is typed."""
    signs = code.casefold().replace("-", "")
    return "".join(signs.split()).encode("utf-8", "surrogatepass")
