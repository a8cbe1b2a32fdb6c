"""Making accounts: the first one, and everybody else's."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4
from zlib import crc32

from msgspec import Struct

from commonroom.accounts import rules
from commonroom.accounts.errors import AddressTaken, AlreadySetUp, LinkGone, SignUpClosed
from commonroom.accounts.passwords import hash_password
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.tables import (
    AddressClaim,
    Installation,
    Invitation,
    NotificationPrefs,
    Password,
    User,
    installation,
)
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Store, Write, above, add, create, update
from commonroom.texts import clean_line

INVITATION_SECONDS = 7 * 24 * 3600
MOST_USES = 100


class NewAccount(Struct, frozen=True):
    """What a person gives to have an account."""

    email: str
    display_name: str
    password: str


async def is_set_up(store: Store) -> bool:
    """Whether this installation has its first administrator."""
    return await store.get(installation()) is not None


async def set_up(store: Store, now: float, new: NewAccount) -> User:
    """Makes the first account, an administrator's; there can be only one first."""
    if await is_set_up(store):
        raise _already_set_up()
    user, writes = await _account(now, new, is_admin=True)
    first = Installation(user_id=user.user_id, set_up_at=iso(now))
    try:
        await store.write(create(first), *writes)
    except ConditionFailed as failed:
        raise (_already_set_up() if failed.index == 0 else _address_taken()) from None
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
    letting_in = [*vouchers, *([_use(invitation)] if invitation else [])]
    if mode == "closed":
        raise SignUpClosed("Nobody can sign up here. Ask whoever runs this Commonroom.")
    if mode == "invite" and not letting_in:
        raise SignUpClosed("Ask somebody who is here already for an invitation.")
    if not await is_set_up(store):
        raise SignUpClosed("This Commonroom has no administrator yet, who comes first.")
    user, writes = await _account(now, new)
    try:
        # What lets somebody in comes first: whoever is not let in learns nothing about addresses.
        await store.write(*letting_in, *writes)
    except ConditionFailed as failed:
        if failed.index < len(letting_in):
            raise LinkGone(
                "This invitation was used up or has run out. Ask for a new one."
            ) from None
        raise _address_taken() from None
    return user


def _already_set_up() -> AlreadySetUp:
    return AlreadySetUp("This Commonroom has its administrator already. Sign in.")


def _address_taken() -> AddressTaken:
    return AddressTaken("We could not make this account. If you already have one, sign in instead.")


async def invite(store: Store, now: float, by: User, *, note: str = "", uses: int = 1) -> str:
    """An administrator's invitation, valid for a week; gives the secret of its link."""
    secret = new_secret()
    made = Invitation(
        digest=digest(secret),
        made_by=by.user_id,
        made_at=iso(now),
        note=clean_line(note)[:100],
        uses_left=max(1, min(uses, MOST_USES)),
        ttl=int(now) + INVITATION_SECONDS,
    )
    await store.write(create(made))
    return secret


def _use(secret: str) -> Write:
    ref = Invitation.at(digest=digest(secret))
    return update(ref, uses_left=add(-1), if_=above(uses_left=0))


async def _account(
    now: float, new: NewAccount, *, is_admin: bool = False
) -> tuple[User, list[Write]]:
    email = rules.address(new.email)
    name = rules.display_name(new.display_name)
    password = rules.password(new.password, about=(email, name))
    user = User(
        user_id=str(uuid4()),
        email=email,
        display_name=name,
        avatar_key=rules.AVATARS[crc32(email.encode()) % len(rules.AVATARS)],
        created_at=iso(now),
        notification_prefs=NotificationPrefs(),
        is_admin=is_admin,
    )
    hashed = await hash_password(password)
    claim = AddressClaim(address=email, user_id=user.user_id, made_at=iso(now))
    kept = Password(user_id=user.user_id, hash=hashed, changed_at=iso(now))
    return user, [create(claim), create(user), create(kept)]
