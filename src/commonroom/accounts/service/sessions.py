"""Sessions: browsers that are signed in, and devices on which a person was signed in before."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import token_hex

from msgspec import Struct, field

from commonroom.accounts import rules
from commonroom.accounts.context import Context
from commonroom.accounts.errors import AccountDeleted, WrongPassword
from commonroom.accounts.secrets import (
    digest,
    hash_password,
    is_password,
    needs_rehash,
    new_secret,
)
from commonroom.accounts.service.passwords import check_password
from commonroom.accounts.service.stored_accounts import end_by_digest, holder_of
from commonroom.accounts.service.throttle import (
    SIGN_IN,
    SIGN_IN_BY_DEVICE,
    Counted,
    failures_logged,
    forget_tries,
    guessing,
)
from commonroom.accounts.tables import (
    Password,
    Session,
    User,
    claim_on_address,
    password_of,
    session_by_digest,
    user_by_id,
)
from commonroom.errors import Forbidden, Unauthorized
from commonroom.moments import MAX_SKEW_SECONDS, is_future, iso
from commonroom.store import ConditionFailed, Store, Write, add, create, delete, equal, update
from commonroom.texts import clean_line

SESSION_SECONDS = 30 * 24 * 3600
_NOBODY = "nobody"
CONFIRMED_SECONDS = 15 * 60
"""How long a password that was given holds for what needs it."""
SEEN_EVERY_SECONDS = 300
"""How exactly we remember when a browser was here: a write for every page would be too many."""
ACTIVE_EVERY_SECONDS = 3600
"""How exactly we remember when a person was last here: each time, their whole record is written."""
KNOWN_DEVICES = "known devices"
"""What the installation's secret is derived for, to seal what a browser keeps."""
MAX_ACCOUNTS = 8
"""On one known device: a family's tablet knows all of them."""


class KnownDevice(Struct, frozen=True, array_like=True):
    """What a browser keeps, sealed: a number of its own, and who was signed in there.

    It lets nobody in. A browser that shows it may guess wrong a few times although others have
    guessed at the same account, no more.
    """

    device_id: str = field(default_factory=lambda: token_hex(16))
    accounts: tuple[tuple[str, int], ...] = ()
    """Ids with the epoch they were signed in at: another password makes all of it worthless."""

    def knows(self, user: User) -> bool:
        """Whether this account was signed in here, with the password that it has now."""
        return (user.user_id, user.epoch) in self.accounts

    def with_account(self, user: User) -> KnownDevice:
        """Returns the device with one more account; the accounts used longest ago are forgotten."""
        others = tuple(one for one in self.accounts if one[0] != user.user_id)
        accounts = ((user.user_id, user.epoch), *others)[:MAX_ACCOUNTS]
        return KnownDevice(self.device_id, accounts)


async def sign_in(
    store: Store,
    now: float,
    *,
    email: str,
    password: str,
    browser: str = "",
    address: str = "",
    device: KnownDevice | None = None,
) -> tuple[User, str]:
    """The person and the secret for their browser's cookie; the same refusal whatever is wrong."""
    # All of this is also done for nobody: the time it takes does not tell who has an account.
    claim = await store.get(claim_on_address(address=rules.sought_address(email) or _NOBODY))
    user_id = claim.user_id if claim is not None else _NOBODY
    # The person before the password: one that is changed meanwhile raises their epoch, and the
    # session of a caller who knew only the old one is then worth nothing.
    found = await store.get(user_by_id(user_id=user_id))
    user = found if claim is not None else None
    limits = _limits(user, email, address, device)
    wrong = (WrongPassword, Forbidden)
    with failures_logged("password", address, wrong):
        async with guessing(store, now, *limits, wrong=wrong):
            if not await _is_theirs(store, user_id, password) or user is None:
                raise WrongPassword("Wrong e-mail or password.")
            if user.disabled_at is not None:
                raise Forbidden("This account is disabled. Ask an administrator.")
    # A person who mistyped before has shown who they are. What others guessed is not forgotten for
    # it, nor what this network guessed elsewhere.
    for limit, who in limits:
        if limit in (SIGN_IN.from_network, SIGN_IN_BY_DEVICE):
            await forget_tries(store, limit, who)
    return user, await open_session(store, now, user, browser=browser, address=address)


def _limits(
    user: User | None, email: str, address: str, device: KnownDevice | None
) -> Sequence[Counted]:
    """What counts a try: for a device that was here before, its own tries and nobody else's."""
    if user is not None and device is not None and device.knows(user):
        return [(SIGN_IN_BY_DEVICE, f"{user.user_id} {user.epoch} {device.device_id}")]
    # With another password, guessing begins anew for everybody.
    account = f"{(rules.sought_address(email) or email).strip()} {user.epoch if user else 0}"
    return SIGN_IN.of(account, address)


async def _is_theirs(store: Store, user_id: str, password: str) -> bool:
    stored = await store.get(password_of(user_id=user_id))
    if not await is_password(stored.hash if stored else None, password):
        return False
    if stored is not None and needs_rehash(stored.hash):
        await _rehash(store, stored, password)
    return True


async def _rehash(store: Store, stored: Password, password: str) -> None:
    hashed = await hash_password(password)
    try:
        await store.write(update(stored, hash=hashed, if_=equal(hash=stored.hash)))
    except ConditionFailed:
        return  # it was changed meanwhile, and hashed as we do now


async def open_session(
    store: Store,
    now: float,
    user: User,
    *,
    browser: str = "",
    address: str = "",
    instead_of: Session | None = None,
) -> str:
    """Signs a browser in; returns the secret for its cookie.

    A person who signs in has just proved who they are; not so where the session replaces another.
    """
    secret = new_secret()
    session = Session(
        digest=digest(secret),
        user_id=user.user_id,
        epoch=user.epoch,
        made_at=iso(now),
        seen_at=iso(now),
        browser=clean_line(browser[:200]),
        address=address[:64],
        confirmed_at=iso(now) if instead_of is None else instead_of.confirmed_at,
        ttl=int(now) + SESSION_SECONDS,
    )
    await store.write(create(session), *_last_active(now, user))
    return secret


def _last_active(now: float, user: User) -> list[Write]:
    """That a person is here, unless that was noted within the hour."""
    noted = user.last_active_at
    if noted is not None and iso(now - ACTIVE_EVERY_SECONDS) < noted <= iso(now + MAX_SKEW_SECONDS):
        return []
    return [update(user.ref, last_active_at=iso(now))]


def is_confirmed(session: Session, now: float) -> bool:
    """Whether the person showed a short while ago, in this browser, that it is them."""
    earliest, latest = iso(now - CONFIRMED_SECONDS), iso(now + MAX_SKEW_SECONDS)
    return session.confirmed_at is not None and earliest < session.confirmed_at <= latest


async def confirm_password(ctx: Context, session: Session, password: str) -> None:
    """Notes that the person at a browser has given their password again.

    Accounts without one confirm by signing in anew, with whatever they sign in with.
    """
    await check_password(ctx, password)
    try:
        await ctx.store.write(
            update(session.ref, confirmed_at=iso(ctx.now), if_=equal(epoch=ctx.person.epoch))
        )
    except ConditionFailed:
        raise Unauthorized("You were signed out in the meantime. Please sign in again.") from None


async def signed_in(store: Store, now: float, secret: str) -> tuple[User, Session] | None:
    """Returns who a browser's cookie stands for: two reads, and now and then a write."""
    session = await store.get(session_by_digest(digest=digest(secret)))
    user = None if session is None else await holder_of(store, session)
    if session is None or user is None:
        return None
    seen_at = session.ttl - SESSION_SECONDS
    if seen_at + SEEN_EVERY_SECONDS < now or is_future(seen_at, now):
        try:
            await store.write(
                update(session, seen_at=iso(now), ttl=int(now) + SESSION_SECONDS),
                *_last_active(now, user),
            )
        except ConditionFailed:
            return None  # signed out in this very moment
    return user, session


async def sign_out(store: Store, session: Session) -> None:
    """Ends a browser's session."""
    await store.write(delete(session))


async def end_session(ctx: Context, session_digest: str) -> None:
    """Ends one of a person's own sessions."""
    mine = equal(user_id=ctx.person.user_id)
    await end_by_digest(ctx.store, Session, session_digest, mine, "This session does not exist.")


async def end_all_sessions(store: Store, user: User) -> None:
    """Signs a person out everywhere, programs included."""
    try:
        await store.write(update(user.ref, epoch=add(1)))
    except ConditionFailed:
        raise AccountDeleted from None
