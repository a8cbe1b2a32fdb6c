"""Changing a password, and choosing a new one with a one-time link."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts import rules
from commonroom.accounts.context import Context
from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.secrets import digest, hash_password, is_password, new_secret
from commonroom.accounts.service.stored_accounts import account_with
from commonroom.accounts.service.throttle import (
    FORGOTTEN_FROM_ADDRESS,
    FORGOTTEN_OF_ACCOUNT,
    PASSWORD_AGAIN,
    count_try,
    forget_tries,
)
from commonroom.accounts.tables import (
    Password,
    ResetLink,
    User,
    password_of,
    reset_link,
    user_by_id,
)
from commonroom.errors import Forbidden, InvalidField
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    add,
    create,
    delete,
    equal,
    put,
    stored,
    update,
)

RESET_SECONDS = 24 * 3600


async def has_password(store: Store, user: User) -> bool:
    """Whether a person signs in with a password, and not only by other means."""
    return await store.get(password_of(user_id=user.user_id)) is not None


async def check_password(ctx: Context, password: str, *, field: str = "password") -> None:
    """Refuses a caller who is signed in and does not know the password."""
    # A stranger who finds a browser signed in must not find out the password with it.
    await count_try(ctx.store, ctx.now, PASSWORD_AGAIN, ctx.person.user_id)
    stored = await ctx.store.get(password_of(user_id=ctx.person.user_id))
    if not await is_password(stored.hash if stored else None, password):
        raise InvalidField(field, "Wrong password.")
    await forget_tries(ctx.store, PASSWORD_AGAIN, ctx.person.user_id)


async def change_password(ctx: Context, *, old: str, new: str) -> User:
    """Sets a new password by the old one, and ends all sessions and tokens."""
    await check_password(ctx, old, field="old_password")
    try:
        await _set(ctx.store, ctx.now, ctx.person, new)
    except ConditionFailed:
        raise Forbidden("Something changed in the meantime. Please sign in again.") from None
    return await _again(ctx.store, ctx.person)


async def make_reset_link(store: Store, now: float, user: User) -> str:
    """The secret of a link with which a person chooses a new password, once, within a day."""
    if user.is_managed:
        raise Forbidden("A managed member has no password.")
    secret = new_secret()
    link = ResetLink(
        digest=digest(secret),
        user_id=user.user_id,
        epoch=user.epoch,
        address_changes=user.address_changes,
        made_at=iso(now),
        ttl=int(now) + RESET_SECONDS,
    )
    await store.write(create(link))
    return secret


async def whose_reset_link(store: Store, secret: str) -> User:
    """Returns who may choose a new password with this link."""
    link = await store.get(reset_link(digest=digest(secret)))
    user = await store.get(user_by_id(user_id=link.user_id)) if link is not None else None
    if link is None or user is None or not _still_good(link, user):
        raise LinkExpired("This link was already used or has expired. Ask for a new one.")
    return user


def _still_good(link: ResetLink, user: User) -> bool:
    return (link.epoch, link.address_changes) == (user.epoch, user.address_changes)


async def choose_new_password(store: Store, now: float, secret: str, new: str) -> User:
    """Sets a new password with a link, which is then worthless."""
    user = await whose_reset_link(store, secret)
    try:
        await _set(store, now, user, new, link=ResetLink.at(digest=digest(secret)))
    except ConditionFailed:
        raise LinkExpired("This link was already used or has expired. Ask for a new one.") from None
    # A person who forgot it has mostly tried too often before, and knows it now. Tries to sign in
    # are counted by epoch, and so begin anew.
    await forget_tries(store, PASSWORD_AGAIN, user.user_id)
    return await _again(store, user)


async def _set(
    store: Store, now: float, user: User, new: str, *, link: Ref[ResetLink] | None = None
) -> None:
    password = rules.password(new, about=(user.email or "", user.display_name))
    kept = Password(user_id=user.user_id, hash=await hash_password(password), changed_at=iso(now))
    used = [delete(link, if_=stored)] if link is not None else []
    as_known = equal(epoch=user.epoch, address_changes=user.address_changes)
    # Raising the epoch ends every session, token and link that was made before; and an address
    # that a holder of the old password asked for is wanted no more.
    changes = update(user.ref, epoch=add(1), new_email=None, if_=as_known)
    await store.write(*used, put(kept), changes)


async def _again(store: Store, user: User) -> User:
    changed = await store.get(user.ref)
    if changed is None:
        raise LinkExpired("This account was deleted.")
    return changed


class ResetMail(Struct, frozen=True):
    """Whom to write to, and what."""

    user: User
    address: str
    secret: str | None
    """Of a reset link; None where the address was never confirmed: it may be a stranger's."""


async def count_asking(store: Store, now: float, *, email: str, address: str) -> None:
    """Refuses a caller who asks too often, for a person or from a place, known here or not."""
    await count_try(store, now, FORGOTTEN_FROM_ADDRESS, address)
    await count_try(store, now, FORGOTTEN_OF_ACCOUNT, email)


async def forgotten_by(store: Store, now: float, email: str) -> ResetMail | None:
    """Returns who forgot their password; None where nobody with this address can sign in.

    The caller must not learn how this ends, nor how long it takes.
    """
    sought = rules.sought_address(email)
    user = None if sought is None else await account_with(store, sought)
    if user is None or user.email is None or user.disabled_at is not None:
        return None
    if user.email_confirmed_at is None:
        return ResetMail(user, user.email, None)
    return ResetMail(user, user.email, await make_reset_link(store, now, user))
