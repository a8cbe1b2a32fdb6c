"""Security notices: whose account it is, and all administrators, hear what became of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import quote
from uuid import uuid4

from commonroom.accounts.service.administering import administrators, people
from commonroom.accounts.tables import User
from commonroom.notify import Facts, Kind, tell
from commonroom.notify.account_cleanup import remove_name
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer
from commonroom.web.words import _, later

OWN = "own"
"""The fact that says that it is about the reader's own account."""
BY_LINK = "by_link"
"""The fact that says that whoever had a one-time link did it."""


def _kind(name: str, own: tuple[str, str], others: str) -> Kind:
    """A kind with a title and a text for whom it concerns, and a title for administrators."""
    title: Callable[[Facts], str] = partial(_either, own[0], others)
    text: Callable[[Facts], str] = partial(_either, own[1], "")
    return Kind(name, title, text)


def _either(own: str, others: str, facts: Facts) -> str:
    # Whoever has left has no name any more.
    named = {name: facts[name] or _("Somebody") for name in ("person", "by")}
    if facts[OWN]:
        return _(own) % named
    if others:
        return _(others) % named
    if facts[BY_LINK]:
        return _("With a one-time link. Have a look if that surprises you.")
    return _("%(by)s did this. Have a look if that surprises you.") % named


RESET_LINK_MADE = _kind(
    "account_reset_link",
    (
        later("Somebody can choose a new password for you"),
        later(
            "%(by)s made a reset link for you: whoever has it can choose your password, for a day. "
            "If you did not ask for it, tell another administrator."
        ),
    ),
    later("A reset link was made for %(person)s"),
)
PASSWORD_CHANGED = _kind(
    "account_password",
    (
        later("Your password was changed"),
        later("If it was not you, ask an administrator for a reset link at once."),
    ),
    later("%(person)s has a new password"),
)
ADDRESS_CHANGED = _kind(
    "account_address",
    (
        later("Your e-mail address was changed"),
        later("If it was not you, change your password at once, and tell an administrator."),
    ),
    later("%(person)s has another e-mail address"),
)
TOKEN_MADE = _kind(
    "account_token",
    (
        later("An API token was made for your account"),
        later("If it was not you, revoke it and change your password at once."),
    ),
    later("%(person)s made an API token"),
)
BECAME_ADMINISTRATOR = _kind(
    "account_administrator",
    (
        later("You are an administrator now"),
        later("%(by)s made you one: you can invite people and help them with their accounts."),
    ),
    later("%(person)s is an administrator now"),
)
BECAME_ORDINARY = _kind(
    "account_ordinary",
    (
        later("You are no longer an administrator"),
        later("%(by)s changed this. You can use everything else as before."),
    ),
    later("%(person)s is no longer an administrator"),
)
DISABLED = _kind(
    "account_disabled",
    (
        later("Your account was disabled"),
        later("%(by)s did this. Nothing of yours was deleted."),
    ),
    later("%(person)s can no longer sign in"),
)
ENABLED = _kind(
    "account_enabled",
    (
        later("You can sign in again"),
        later("%(by)s enabled your account. Everything is as it was."),
    ),
    later("%(person)s can sign in again"),
)
DELETED = Kind(
    "account_deleted",
    title=lambda _facts: _("An account was deleted"),
    # Whoever leaves leaves no name behind.
    text=lambda _facts: _("Somebody has left, and took everything that was only theirs along."),
)

KINDS = (
    RESET_LINK_MADE,
    PASSWORD_CHANGED,
    ADDRESS_CHANGED,
    TOKEN_MADE,
    BECAME_ADMINISTRATOR,
    BECAME_ORDINARY,
    DISABLED,
    ENABLED,
    DELETED,
)


async def notify_of(
    store: Store, now: float, kind: Kind, person: User, *, by: User | None, link: str
) -> None:
    """Tells whose account it is, always: whoever did it may only sit at their browser.

    Administrators hear of it, too, except the one who did it; `by` is nobody where a link did.
    """
    about = uuid4().hex
    facts = {
        "person": person.display_name,
        "by": "" if by is None else by.display_name,
        BY_LINK: "yes" if by is None else "",
    }
    told = {person.user_id} | (set() if by is None else {by.user_id})
    others = [one for one in await administrators(store) if one.user_id not in told]
    theirs = f"/admin/people/{quote(person.user_id)}"
    await tell(store, now, [person], kind, facts=facts | {OWN: "yes"}, link=link, id=about)
    await tell(store, now, others, kind, facts=facts | {OWN: ""}, link=theirs, id=about)


async def forget_names(store: Store, change: Change) -> None:
    """Takes the name of somebody who left out of what others were told of accounts."""
    person: User | None = change.old
    if change.new is not None or person is None or person.is_managed:
        return
    cursor: str | None = None
    while True:
        # What one did oneself, administrators know; what an administrator did, anybody may.
        page = await people(store, cursor=cursor)
        told = [one.user_id for one in page.items if one.is_admin or person.is_admin]
        await remove_name(store, told, person.display_name)
        cursor = page.cursor
        if cursor is None:
            return


forgets_names = Consumer("security-notices-forget-names", (User,), forget_names)


async def notify_of_deletion(store: Store, now: float) -> None:
    """Tells the administrators that somebody has left."""
    left = await administrators(store)
    await tell(store, now, left, DELETED, facts={}, link="/admin/people", id=uuid4().hex)
