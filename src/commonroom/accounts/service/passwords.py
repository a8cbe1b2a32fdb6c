"""Changing a password, and choosing a new one with a one-time link."""

from __future__ import annotations

from commonroom.accounts import rules
from commonroom.accounts.errors import LinkGone, NotAllowed, Unfit
from commonroom.accounts.passwords import hash_password, is_password
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.throttle import CHANGE_OF_PASSWORD, count_try, forget_tries
from commonroom.accounts.tables import (
    Password,
    ResetLink,
    User,
    password_of,
    reset_link,
    user_by_id,
)
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


async def change_password(store: Store, now: float, user: User, *, old: str, new: str) -> User:
    """Sets a new password for whoever knows the old one, and ends all sessions and tokens."""
    # Whoever finds a browser signed in must not find out the password with it.
    await count_try(store, now, CHANGE_OF_PASSWORD, user.user_id)
    kept = await store.get(password_of(user_id=user.user_id))
    if not await is_password(kept.hash if kept else None, old):
        raise Unfit("old_password", "This is not your password.")
    await forget_tries(store, CHANGE_OF_PASSWORD, user.user_id)
    try:
        await _set(store, now, user, new)
    except ConditionFailed:
        raise NotAllowed("Something changed meanwhile. Please sign in again.") from None
    return await _again(store, user)


async def make_reset_link(store: Store, now: float, user: User) -> str:
    """The secret of a link with which a person chooses a new password, once, within a day."""
    if user.is_managed:
        raise NotAllowed("A managed member has no password.")
    secret = new_secret()
    link = ResetLink(
        digest=digest(secret),
        user_id=user.user_id,
        epoch=user.epoch,
        made_at=iso(now),
        ttl=int(now) + RESET_SECONDS,
    )
    await store.write(create(link))
    return secret


async def whose_reset_link(store: Store, secret: str) -> User:
    """Who may choose a new password with this link."""
    link = await store.get(reset_link(digest=digest(secret)))
    user = await store.get(user_by_id(user_id=link.user_id)) if link is not None else None
    if link is None or user is None or user.epoch != link.epoch:
        raise LinkGone("This link was used or has run out. Ask for a new one.")
    return user


async def choose_new_password(store: Store, now: float, secret: str, new: str) -> User:
    """Sets a new password with a link, which is then worthless."""
    user = await whose_reset_link(store, secret)
    try:
        await _set(store, now, user, new, link=ResetLink.at(digest=digest(secret)))
    except ConditionFailed:
        raise LinkGone("This link was used or has run out. Ask for a new one.") from None
    return await _again(store, user)


async def _set(
    store: Store, now: float, user: User, new: str, *, link: Ref[ResetLink] | None = None
) -> None:
    password = rules.password(new, about=(user.email or "", user.display_name))
    kept = Password(user_id=user.user_id, hash=await hash_password(password), changed_at=iso(now))
    used = [delete(link, if_=stored)] if link is not None else []
    # Raising the epoch ends every session, token and link that was made before.
    await store.write(*used, put(kept), update(user.ref, epoch=add(1), if_=equal(epoch=user.epoch)))


async def _again(store: Store, user: User) -> User:
    changed = await store.get(user.ref)
    if changed is None:
        raise LinkGone("This account was deleted.")
    return changed
