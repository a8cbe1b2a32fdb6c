"""Sensitive acts, for pages and API alike: each is done, and whoever should know of it is told."""

from __future__ import annotations

from commonroom.accounts.service import account_data, administration, passwords, tokens
from commonroom.accounts.tables import ApiToken, Scope, User
from commonroom.notify import Kind
from commonroom.web.people import security_notifications as notifications
from commonroom.web.request import Request

SECURITY = "/me/security"


async def make_reset_link(request: Request, user: User) -> str:
    """The secret of a link with which somebody chooses a new password."""
    secret = await passwords.make_reset_link(request.store, request.now, user)
    await _notify(request, notifications.RESET_LINK_MADE, user)
    return secret


async def make_administrator(request: Request, user: User) -> None:
    """Lets somebody run the installation."""
    await administration.make_administrator(request.store, user)
    await _notify(request, notifications.BECAME_ADMINISTRATOR, user, link="/")


async def make_ordinary(request: Request, user: User) -> None:
    """Takes that away again."""
    await administration.make_ordinary(request.store, user)
    await _notify(request, notifications.BECAME_ORDINARY, user, link="/")


async def disable(request: Request, user: User) -> None:
    """Keeps somebody out."""
    await administration.disable(request.store, request.now, user)
    await _notify(request, notifications.DISABLED, user, link="/")


async def enable(request: Request, user: User) -> None:
    """Lets somebody in again who was kept out."""
    if user.disabled_at is None:
        return
    await administration.enable(request.store, user)
    enabled = await request.store.get(user.ref)
    if enabled is not None:
        await _notify(request, notifications.ENABLED, enabled, link="/")


async def make_token(
    request: Request, *, name: str, scopes: list[Scope], days: int | None
) -> tuple[ApiToken, str]:
    """A token for a program of whoever asks, and its secret."""
    made = await tokens.make_token(request.context, name=name, scopes=scopes, days=days)
    await _notify(request, notifications.TOKEN_MADE, request.person, link="/me/tokens")
    return made


async def change_password(request: Request, *, old: str, new: str) -> User:
    """Another password for whoever asks, and knows the old one."""
    changed = await passwords.change_password(request.context, old=old, new=new)
    await _notify(request, notifications.PASSWORD_CHANGED, changed)
    return changed


async def choose_new_password(request: Request, secret: str, new: str) -> User:
    """Another password for whoever a one-time link is for."""
    changed = await passwords.choose_new_password(request.store, request.now, secret, new)
    kind = notifications.PASSWORD_CHANGED
    await notifications.notify_of(request.store, request.now, kind, changed, by=None, link=SECURITY)
    return changed


async def change_address(request: Request, email: str, password: str) -> User:
    """Another address for whoever asks: at once, or once it is confirmed."""
    changed = await request.mailer.change_address(request.context, email, password)
    return await _with_address(request, changed)


async def confirm_address(request: Request, secret: str) -> User:
    """Confirms an address of whoever asks; a new one becomes theirs."""
    confirmed = await request.mailer.confirm(request.context, secret)
    return await _with_address(request, confirmed)


async def delete_account(request: Request, *, typed: str) -> None:
    """Deletes the account of whoever asks, and typed that they want it."""
    store, person = request.store, request.person
    await account_data.delete_account(store, person, typed=typed)
    request.mailer.say_goodbye(person)
    await notifications.notify_of_deletion(store, request.now)


async def _with_address(request: Request, changed: User) -> User:
    if request.person.email != changed.email:
        await _notify(request, notifications.ADDRESS_CHANGED, changed)
    return changed


async def _notify(request: Request, kind: Kind, user: User, *, link: str = SECURITY) -> None:
    store, by = request.store, request.person
    await notifications.notify_of(store, request.now, kind, user, by=by, link=link)
