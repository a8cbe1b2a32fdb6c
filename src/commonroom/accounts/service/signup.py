"""Making accounts: the first one, and everybody else's."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from uuid import uuid4
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts import rules
from commonroom.accounts.errors import AlreadySetUp, EmailTaken, LinkExpired, SignUpClosed
from commonroom.accounts.secrets import digest, hash_password, new_secret
from commonroom.accounts.service.administration import (
    check_invitation,
    invitation_expired,
    use_invitation,
)
from commonroom.accounts.service.throttle import CONFIRMATION_TO_ADDRESS, count_try
from commonroom.accounts.tables import (
    FIRST_PREFS,
    AddressClaim,
    Installation,
    Password,
    PendingSignUp,
    User,
    installation,
    pending_sign_up,
)
from commonroom.errors import FieldErrors
from commonroom.moments import iso
from commonroom.sealed_tokens import SealedTokens
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    create,
    delete,
    stored,
)

PENDING_SECONDS = 24 * 3600
MAX_SEALED = 20_000
_SIGN_UP = b"sign-up"


class NewAccount(Struct, frozen=True):
    """What a person gives to have an account."""

    email: str
    display_name: str
    password: str
    time_zone: str | None = None
    """Of the device they are at."""


async def is_set_up(store: Store) -> bool:
    """Whether this installation has its first administrator."""
    return await store.get(installation()) is not None


async def set_up(store: Store, now: float, new: NewAccount) -> User:
    """Makes the first account, an administrator's; there can be only one first."""
    if await is_set_up(store):
        raise AlreadySetUp
    user, writes = await _new_account(now, new, is_admin=True)
    first = Installation(user_id=user.user_id, set_up_at=iso(now))
    try:
        await store.write(create(first), *writes)
    except ConditionFailed as failed:
        raise (AlreadySetUp() if failed.index == 0 else _address_taken()) from None
    return user


class SignUpRequest(Struct, frozen=True, array_like=True):
    """What waits for a letter's link to be opened; the password as it will be stored."""

    new: NewAccount
    hashed: str
    invitation: str = ""
    """What lets them in: an administrator's invitation, or a link of a room."""
    next: str = ""
    """Where they wanted to go on."""


async def request_sign_up(
    store: Store,
    now: float,
    mode: rules.SignUp,
    new: NewAccount,
    *,
    link: str = "",
    next: str = "",  # noqa: A002 - the word in the address
    invitation: str | None = None,
    vouchers: Sequence[Write] = (),
) -> str:
    """Stores a sign-up until the letter's link is opened; returns the link's secret.

    All of it is the same whether or not their address has an account, also how long it takes.
    """
    await _check_may_sign_up(store, mode, has_link=bool(vouchers or invitation))
    if invitation:
        await check_invitation(store, invitation)
    checked = _checked(new)
    await count_try(store, now, CONFIRMATION_TO_ADDRESS, checked.email)
    hashed = await hash_password(checked.password)
    secret = new_secret()
    request = SignUpRequest(replace(checked, password=""), hashed, link, next)
    pending = PendingSignUp(
        digest=digest(secret),
        sealed=_sealed_with(secret).seal(request, _SIGN_UP),
        made_at=iso(now),
        ttl=int(now) + PENDING_SECONDS,
    )
    await store.write(create(pending))
    return secret


async def requested_with(store: Store, secret: str) -> SignUpRequest:
    """Returns the stored sign-up of the holder of a letter's link."""
    pending = await store.get(pending_sign_up(digest=digest(secret)))
    found = pending and _sealed_with(secret).open(pending.sealed, _SIGN_UP, SignUpRequest)
    if not found:
        raise _pending_gone()
    return found


async def complete_sign_up(
    store: Store,
    now: float,
    mode: rules.SignUp,
    secret: str,
    *,
    invitation: str | None = None,
    vouchers: Sequence[Write] = (),
) -> User:
    """Makes the account once the letter's link is opened, which confirms its address."""
    request = await requested_with(store, secret)
    letting_in = [*vouchers, *([use_invitation(invitation)] if invitation else [])]
    await _check_may_sign_up(store, mode, has_link=bool(letting_in))
    user, writes = _account(now, request.new, request.hashed, confirmed=True)
    used = delete(PendingSignUp.at(digest=digest(secret)), if_=stored)
    await _make(store, letting_in, [used], writes)
    return user


async def sign_up(
    store: Store,
    now: float,
    mode: rules.SignUp,
    new: NewAccount,
    *,
    invitation: str | None = None,
    vouchers: Sequence[Write] = (),
) -> User:
    """Makes an account, where the installation lets this person in.

    `vouchers` are conditions of rooms (a household's invite that is still good): they let a person
    in as an administrator's invitation does, and hold in the same transaction.
    """
    letting_in = [*vouchers, *([use_invitation(invitation)] if invitation else [])]
    await _check_may_sign_up(store, mode, has_link=bool(letting_in))
    user, writes = await _new_account(now, new)
    await _make(store, letting_in, [], writes)
    return user


def check_mode(mode: rules.SignUp, *, has_link: bool) -> None:
    """Refuses a person whom the installation does not let in."""
    if mode == "closed":
        raise SignUpClosed("Sign-up is closed here. Ask an administrator.")
    if mode == "invite" and not has_link:
        raise SignUpClosed("Ask someone who is already here for an invitation.")


async def _check_may_sign_up(store: Store, mode: rules.SignUp, *, has_link: bool) -> None:
    check_mode(mode, has_link=has_link)
    if not await is_set_up(store):
        raise SignUpClosed(
            "This Commonroom is not set up yet. Its administrator has to sign up first."
        )


async def _make(
    store: Store, letting_in: Sequence[Write], used: Sequence[Write], account: Sequence[Write]
) -> None:
    try:
        # The invitation comes first: a stranger without one learns nothing about addresses.
        await store.write(*letting_in, *used, *account)
    except ConditionFailed as failed:
        if failed.index < len(letting_in):
            raise invitation_expired() from None
        if failed.index < len(letting_in) + len(used):
            raise _pending_gone() from None
        raise _address_taken() from None


def _sealed_with(secret: str) -> SealedTokens:
    return SealedTokens(sha256(b"sign-up " + secret.encode()).digest(), longest=MAX_SEALED)


def _pending_gone() -> LinkExpired:
    return LinkExpired("This link was already used or has expired. Sign in, or sign up again.")


def _address_taken() -> EmailTaken:
    return EmailTaken("We could not create this account. If you already have one, sign in instead.")


def _checked(new: NewAccount) -> NewAccount:
    """Checks a new account; returns it as it is stored."""
    errors = FieldErrors()
    email = errors.check(rules.address, new.email)
    name = errors.check(rules.display_name, new.display_name)
    password = errors.check(rules.password, new.password, about=(email or "", name or ""))
    errors.raise_if_any()
    return replace(new, email=email, display_name=name, password=password)


async def _new_account(
    now: float, new: NewAccount, *, is_admin: bool = False
) -> tuple[User, list[Write]]:
    checked = _checked(new)
    hashed = await hash_password(checked.password)
    return _account(now, checked, hashed, is_admin=is_admin)


def _account(
    now: float, new: NewAccount, hashed: str, *, is_admin: bool = False, confirmed: bool = False
) -> tuple[User, list[Write]]:
    email = new.email
    user = User(
        user_id=str(uuid4()),
        email=email,
        display_name=new.display_name,
        avatar_key=rules.AVATARS[crc32(email.encode()) % len(rules.AVATARS)],
        created_at=iso(now),
        notification_prefs=dict(FIRST_PREFS),
        is_admin=is_admin,
        email_confirmed_at=iso(now) if confirmed else None,
        time_zone=None if new.time_zone is None else rules.time_zone(new.time_zone),
    )
    claim = AddressClaim(address=email, user_id=user.user_id, made_at=iso(now))
    credential = Password(user_id=user.user_id, hash=hashed, changed_at=iso(now))
    return user, [create(claim), create(user), create(credential)]
