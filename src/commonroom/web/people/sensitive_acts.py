"""Sensitive acts, for pages and API alike: each is done, and whoever should know of it is told."""

from __future__ import annotations

import time

from commonroom.accounts.context import Context
from commonroom.accounts.service import account_data, administration, passwords, tokens
from commonroom.accounts.tables import ApiToken, Scope, User
from commonroom.notify import Kind
from commonroom.web.people import security_notices as notices
from commonroom.web.request import Request

SECURITY = "/me/security"


async def make_reset_link(request: Request, user: User) -> str:
    """The secret of a link with which somebody chooses a new password."""
    secret = await passwords.make_reset_link(request.store, time.time(), user)
    await _notify(request, notices.RESET_LINK_MADE, user)
    return secret


async def make_administrator(request: Request, user: User) -> None:
    """Lets somebody run the installation."""
    await administration.make_administrator(request.store, user)
    await _notify(request, notices.BECAME_ADMINISTRATOR, user, link="/")


async def make_ordinary(request: Request, user: User) -> None:
    """Takes that away again."""
    await administration.make_ordinary(request.store, user)
    await _notify(request, notices.BECAME_ORDINARY, user, link="/")


async def disable(request: Request, user: User) -> None:
    """Keeps somebody out."""
    await administration.disable(request.store, time.time(), user)
    await _notify(request, notices.DISABLED, user, link="/")


async def enable(request: Request, user: User) -> None:
    """Lets somebody in again who was kept out."""
    if user.disabled_at is None:
        return
    await administration.enable(request.store, user)
    enabled = await request.store.get(user.ref)
    if enabled is not None:
        await _notify(request, notices.ENABLED, enabled, link="/")


async def make_token(
    request: Request, *, name: str, scopes: list[Scope], days: int | None
) -> tuple[ApiToken, str]:
    """A token for a program of whoever asks, and its secret."""
    person = request.person
    made = await tokens.make_token(
        Context(request.store, person, time.time()), name=name, scopes=scopes, days=days
    )
    await _notify(request, notices.TOKEN_MADE, person, link="/me/tokens")
    return made


async def change_password(request: Request, *, old: str, new: str) -> User:
    """Another password for whoever asks, and knows the old one."""
    changed = await passwords.change_password(request.context, old=old, new=new)
    await _notify(request, notices.PASSWORD_CHANGED, changed)
    return changed


async def choose_new_password(request: Request, secret: str, new: str) -> User:
    """Another password for whoever a one-time link is for."""
    store, now = request.store, time.time()
    changed = await passwords.choose_new_password(store, now, secret, new)
    await notices.notify_of(store, now, notices.PASSWORD_CHANGED, changed, by=None, link=SECURITY)
    return changed


async def change_address(request: Request, email: str, password: str) -> User:
    """Another address for whoever asks: at once, or once it is confirmed."""
    person = request.person
    changed = await request.mailer.change_address(time.time(), person, email, password)
    return await _with_address(request, person, changed)


async def confirm_address(request: Request, secret: str) -> User:
    """Confirms an address of whoever asks; a new one becomes theirs."""
    person = request.person
    confirmed = await request.mailer.confirm(time.time(), person, secret)
    return await _with_address(request, person, confirmed)


async def delete_account(request: Request, *, typed: str) -> None:
    """Deletes the account of whoever asks, and typed that they want it."""
    store, person = request.store, request.person
    await account_data.delete_account(store, person, typed=typed)
    request.mailer.say_goodbye(person)
    await notices.notify_of_deletion(store, time.time())


async def _with_address(request: Request, before: User, after: User) -> User:
    if before.email != after.email:
        await _notify(request, notices.ADDRESS_CHANGED, after)
    return after


async def _notify(request: Request, kind: Kind, user: User, *, link: str = SECURITY) -> None:
    store, by = request.store, request.person
    await notices.notify_of(store, time.time(), kind, user, by=by, link=link)
