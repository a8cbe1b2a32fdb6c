"""What administrators do with accounts, and invitations to people who are not here yet."""

from __future__ import annotations

from commonroom.accounts import rules
from commonroom.accounts.context import Context
from commonroom.accounts.errors import AccountDeleted, LinkExpired
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.first_steps import note_invited
from commonroom.accounts.service.stored_accounts import (
    account_with,
    end_by_digest,
)
from commonroom.accounts.tables import (
    Installation,
    Invitation,
    User,
    everybody,
    installation,
    invitation,
    user_by_id,
)
from commonroom.errors import Forbidden, NotFound, Refusal
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Page,
    Store,
    Write,
    above,
    absent,
    add,
    create,
    equal,
    stored,
    update,
)
from commonroom.texts import clean_line

INVITATION_SECONDS = 7 * 24 * 3600
MAX_USES = 100


async def people(store: Store, *, limit: int = 50, cursor: str | None = None) -> Page[User]:
    """Everybody with an account, the first first: two requests a page."""
    page = await store.page(everybody(), limit=limit, cursor=cursor)
    # Whose address changed in this moment may be in the index with both.
    ids = dict.fromkeys(claim.user_id for claim in page.items)
    found = await store.batch_get([User.at(user_id=user_id) for user_id in ids])
    return Page([user for user in found if user is not None], page.seal)


async def administrators(store: Store) -> list[User]:
    """All who run the installation; nobody is looked at once as many are found as there are."""
    first = await store.get(installation())
    found: dict[str, User] = {}
    cursor = None
    while first is not None and len(found) < first.administrators:
        page = await people(store, cursor=cursor)
        found |= {one.user_id: one for one in page.items if one.is_admin}
        cursor = page.cursor
        if cursor is None:
            break
    return list(found.values())


async def person_with(store: Store, address: str) -> User:
    """Returns a person by e-mail address."""
    sought = rules.sought_address(address)
    user = None if sought is None else await account_with(store, sought)
    if user is None:
        raise NotFound(f"No account has the address {address}.")
    return user


async def person_by_id(store: Store, user_id: str) -> User:
    """Returns a person by id."""
    is_id = rules.is_user_id(user_id)
    user = await store.get(user_by_id(user_id=user_id)) if is_id else None
    if user is None:
        raise NotFound("This person does not exist.")
    return user


async def make_administrator(store: Store, user: User) -> None:
    """Lets a person run the installation."""
    # A managed member cannot sign in, and must not count as an administrator who can.
    fit = equal(is_admin=False, is_managed=False) & absent("disabled_at")
    try:
        await store.write(
            update(user.ref, is_admin=True, if_=fit),
            update(Installation.at(), administrators=add(1)),
        )
    except ConditionFailed as failed:
        raise _refusal(
            failed,
            "This person is already an administrator, is disabled, or is managed by someone else.",
        ) from None


async def make_first_administrator(store: Store, now: float, user: User) -> None:
    """Makes an administrator where there is none: all accounts came from another application."""
    fit = equal(is_admin=False, is_managed=False) & absent("disabled_at")
    first = Installation(user_id=user.user_id, set_up_at=iso(now))
    try:
        await store.write(update(user.ref, is_admin=True, if_=fit), create(first))
    except ConditionFailed as failed:
        raise _refusal(failed, "This person cannot be an administrator.") from None


async def make_ordinary(store: Store, user: User) -> None:
    """Makes an administrator an ordinary person again; at least one must be left."""
    try:
        await store.write(
            update(user.ref, is_admin=False, epoch=add(1), if_=equal(is_admin=True)),
            update(Installation.at(), administrators=add(-1), if_=above(administrators=1)),
        )
    except ConditionFailed as failed:
        if failed.index == 1:
            raise Forbidden("There has to be at least one administrator.") from None
        raise _refusal(failed, "This person is not an administrator.") from None


async def disable(store: Store, now: float, user: User) -> None:
    """Keeps a person out, at once and everywhere, without deleting anything."""
    try:
        await store.write(
            update(
                user.ref,
                disabled_at=iso(now),
                epoch=add(1),
                if_=equal(is_admin=False) & absent("disabled_at"),
            )
        )
    except ConditionFailed as failed:
        raise _refusal(failed, "This person is an administrator or is already disabled.") from None


async def enable(store: Store, user: User) -> None:
    """Lets a disabled person in again."""
    try:
        await store.write(update(user.ref, disabled_at=None))
    except ConditionFailed:
        raise AccountDeleted from None


def _refusal(failed: ConditionFailed, why: str) -> Refusal:
    gone = failed.index == 0 and failed.item is None
    return AccountDeleted() if gone else Forbidden(why)


async def invite(ctx: Context, *, note: str = "", uses: int = 1) -> str:
    """Makes an administrator's invitation, valid for a week; returns the secret of its link."""
    secret = new_secret()
    made = Invitation(
        digest=digest(secret),
        made_by=ctx.person.user_id,
        made_at=iso(ctx.now),
        note=clean_line(note)[:100],
        uses_left=max(1, min(uses, MAX_USES)),
        ttl=int(ctx.now) + INVITATION_SECONDS,
    )
    await ctx.store.write(create(made))
    await note_invited(ctx)
    return secret


async def revoke_invitation(store: Store, invitation_digest: str) -> None:
    """Ends an invitation."""
    gone = "This invitation does not exist."
    await end_by_digest(store, Invitation, invitation_digest, stored, gone)


async def check_invitation(store: Store, secret: str) -> None:
    """Refuses an invitation with which nobody can sign up any more."""
    found = await store.get(invitation(digest=digest(secret)))
    if found is None or found.uses_left < 1:
        raise invitation_expired()


def use_invitation(secret: str) -> Write:
    """Returns the write that uses an invitation once; its condition fails where none is left."""
    ref = Invitation.at(digest=digest(secret))
    return update(ref, uses_left=add(-1), if_=above(uses_left=0))


def invitation_expired() -> LinkExpired:
    """Returns the refusal for an invitation that works no longer."""
    return LinkExpired("This invitation was already used or has expired. Ask for a new one.")
