"""Sensitive acts, for pages and API alike: each is done, and those it concerns are notified."""

from __future__ import annotations

from functools import partial
from urllib.parse import quote
from uuid import uuid4

from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.service import account_data, administration, passwords, tokens
from commonroom.accounts.service.administration import administrators, people
from commonroom.accounts.service.throttle import RESET_FROM_ADDRESS, count_try, failures_logged
from commonroom.accounts.tables import ApiToken, Scope, User
from commonroom.http.request import Request
from commonroom.http.words import _, lazy
from commonroom.notifications import Facts, Kind, say, tell
from commonroom.notifications.notifications import remove_name
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer

SECURITY = "/me/security"
OWN = "own"
"""The fact that says that it is about the reader's own account."""
BY_LINK = "by_link"
"""The fact that says that the holder of a one-time link did it."""


def _kind(name: str, title: str, text: str, others: str) -> Kind:
    """A kind with a title and a text for whom it concerns, and a title for administrators."""
    return Kind(name, partial(_title, title, others), partial(_text, text), passes_quiet_hours=True)


def _title(own: str, others: str, facts: Facts) -> str:
    return say(own if facts[OWN] else others, facts)


def _text(own: str, facts: Facts) -> str:
    if facts[OWN]:
        return say(own, facts)
    if facts[BY_LINK]:
        return _("Done with a one-time link. Take a look if you did not expect this.")
    return say(lazy("Done by %(by)s. Take a look if you did not expect this."), facts)


RESET_LINK_MADE = _kind(
    "account_reset_link",
    lazy("A reset link for your password was created"),
    lazy(
        "%(by)s created a reset link for you: anyone who has it can choose your "
        "password, for a day. If you did not ask for it, tell another administrator."
    ),
    lazy("A reset link was created for %(person)s"),
)
PASSWORD_CHANGED = _kind(
    "account_password",
    lazy("Your password was changed"),
    lazy("If this was not you, ask an administrator for a reset link right away."),
    lazy("%(person)s has a new password"),
)
ADDRESS_CHANGED = _kind(
    "account_address",
    lazy("Your e-mail address was changed"),
    lazy("If this was not you, change your password right away and tell an administrator."),
    lazy("%(person)s has a new e-mail address"),
)
TOKEN_MADE = _kind(
    "account_token",
    lazy("An API token was created for your account"),
    lazy("If this was not you, revoke it and change your password right away."),
    lazy("%(person)s created an API token"),
)
WEBHOOK_MADE = _kind(
    "account_webhook",
    lazy("A webhook was created for your account"),
    lazy("If this was not you, delete it and change your password right away."),
    lazy("%(person)s created a webhook"),
)
BECAME_ADMINISTRATOR = _kind(
    "account_administrator",
    lazy("You are now an administrator"),
    lazy("%(by)s gave you this role. You can invite people and help them with their accounts."),
    lazy("%(person)s is now an administrator"),
)
BECAME_ORDINARY = _kind(
    "account_ordinary",
    lazy("You are no longer an administrator"),
    lazy("Changed by %(by)s. You can use everything else as before."),
    lazy("%(person)s is no longer an administrator"),
)
DISABLED = _kind(
    "account_disabled",
    lazy("Your account was disabled"),
    lazy("Done by %(by)s. None of your data was deleted."),
    lazy("%(person)s can no longer sign in"),
)
ENABLED = _kind(
    "account_enabled",
    lazy("You can sign in again"),
    lazy("%(by)s enabled your account. Everything is as it was."),
    lazy("%(person)s can sign in again"),
)
DELETED = Kind(
    "account_deleted",
    lazy("An account was deleted"),
    # A person who leaves leaves no name behind.
    lazy("Someone left and deleted everything that was only theirs."),
    passes_quiet_hours=True,
)

KINDS = (
    RESET_LINK_MADE,
    PASSWORD_CHANGED,
    ADDRESS_CHANGED,
    TOKEN_MADE,
    WEBHOOK_MADE,
    BECAME_ADMINISTRATOR,
    BECAME_ORDINARY,
    DISABLED,
    ENABLED,
    DELETED,
)


async def notify_of(
    store: Store, now: float, kind: Kind, person: User, *, by: User | None, link: str
) -> None:
    """Notifies the account's owner, always: the one who did it may only sit at their browser.

    Administrators are notified, too, except the one who did it; `by` is nobody where a link did.
    """
    about = uuid4().hex
    facts = {
        "person": person.display_name,
        "by": "" if by is None else by.display_name,
        BY_LINK: "yes" if by is None else "",
    }
    involved = {person.user_id} | (set() if by is None else {by.user_id})
    others = [one for one in await administrators(store) if one.user_id not in involved]
    theirs = f"/admin/people/{quote(person.user_id)}"
    own, for_others = facts | {OWN: "yes"}, facts | {OWN: ""}
    await tell(store, now, [person], kind, facts=own, link=link, id=about, by=None)
    await tell(store, now, others, kind, facts=for_others, link=theirs, id=about, by=None)


async def forget_names(store: Store, change: Change) -> None:
    """Takes the name of a person who left out of notifications about accounts."""
    person: User | None = change.old
    if change.new is not None or person is None or person.is_managed:
        return
    cursor: str | None = None
    while True:
        # What one did oneself, administrators know; what an administrator did, anybody may.
        page = await people(store, cursor=cursor)
        readers = [one.user_id for one in page.items if one.is_admin or person.is_admin]
        await remove_name(store, readers, person.display_name)
        cursor = page.cursor
        if cursor is None:
            return


forgets_names = Consumer("security-notices-forget-names", (User,), forget_names)


async def notify_of_deletion(store: Store, now: float) -> None:
    """Notifies the administrators that a person has left."""
    left = await administrators(store)
    page, about = "/admin/people", uuid4().hex
    await tell(store, now, left, DELETED, facts={}, link=page, id=about, by=None)


async def make_reset_link(request: Request, user: User) -> str:
    """Returns the secret of a link with which a person chooses a new password."""
    secret = await passwords.make_reset_link(request.store, request.now, user)
    await _notify(request, RESET_LINK_MADE, user)
    return secret


async def make_administrator(request: Request, user: User) -> None:
    """Makes a person an administrator."""
    await administration.make_administrator(request.store, user)
    await _notify(request, BECAME_ADMINISTRATOR, user, link="/")


async def make_ordinary(request: Request, user: User) -> None:
    """Takes that away again."""
    await administration.make_ordinary(request.store, user)
    await _notify(request, BECAME_ORDINARY, user, link="/")


async def disable(request: Request, user: User) -> None:
    """Disables an account."""
    await administration.disable(request.store, request.now, user)
    await _notify(request, DISABLED, user, link="/")


async def enable(request: Request, user: User) -> None:
    """Enables an account again."""
    if user.disabled_at is None:
        return
    await administration.enable(request.store, user)
    enabled = await request.store.get(user.ref)
    if enabled is not None:
        await _notify(request, ENABLED, enabled, link="/")


async def make_token(
    request: Request, *, name: str, scopes: list[Scope], days: int | None
) -> tuple[ApiToken, str]:
    """Makes a token for a program of the caller; returns it with its secret."""
    made = await tokens.make_token(request.context, name=name, scopes=scopes, days=days)
    await _notify(request, TOKEN_MADE, request.person, link="/me/tokens")
    return made


async def change_password(request: Request, *, old: str, new: str) -> User:
    """Changes the caller's password, by the old one."""
    changed = await passwords.change_password(request.context, old=old, new=new)
    await _notify(request, PASSWORD_CHANGED, changed)
    return changed


async def choose_new_password(request: Request, secret: str, new: str) -> User:
    """Changes the password of the person a one-time link is for; tries are counted and logged."""
    store, now, address = request.store, request.now, request.client_address
    with failures_logged("link", address, (LinkExpired,)):
        await count_try(store, now, RESET_FROM_ADDRESS, address)
        changed = await passwords.choose_new_password(store, now, secret, new)
    await notify_of(store, now, PASSWORD_CHANGED, changed, by=None, link=SECURITY)
    return changed


async def change_address(request: Request, email: str, password: str) -> User:
    """Changes the caller's address: at once, or once it is confirmed."""
    changed = await request.mailer.change_address(request.context, email, password)
    return await _with_address(request, changed)


async def confirm_address(request: Request, secret: str) -> User:
    """Confirms the caller's address; a new one becomes theirs."""
    confirmed = await request.mailer.confirm(request.context, secret)
    return await _with_address(request, confirmed)


async def delete_account(request: Request, *, typed: str) -> None:
    """Deletes the caller's account, once they typed that they want it."""
    store, person = request.store, request.person
    await account_data.delete_account(store, person, typed=typed)
    request.mailer.say_goodbye(person)
    await notify_of_deletion(store, request.now)


async def _with_address(request: Request, changed: User) -> User:
    if request.person.email != changed.email:
        await _notify(request, ADDRESS_CHANGED, changed)
    return changed


async def _notify(request: Request, kind: Kind, user: User, *, link: str = SECURITY) -> None:
    store, by = request.store, request.person
    await notify_of(store, request.now, kind, user, by=by, link=link)
