"""E-mail addresses: changing one's own, and showing that letters to it arrive."""

from __future__ import annotations

from commonroom.accounts import rules
from commonroom.accounts.context import Context
from commonroom.accounts.errors import AccountDeleted, AlreadyConfirmed, EmailTaken, LinkExpired
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.passwords import check_password
from commonroom.accounts.service.stored_accounts import read_again
from commonroom.accounts.service.throttle import (
    ADDRESS_TAKEN,
    CONFIRMATION_OF_ACCOUNT,
    CONFIRMATION_TO_ADDRESS,
    count_try,
    guessing,
)
from commonroom.accounts.tables import (
    AddressClaim,
    ConfirmationLink,
    User,
    claim_on_address,
    confirmation_link,
)
from commonroom.errors import Forbidden, Refusal
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    ConditionFailed,
    Store,
    Write,
    add,
    create,
    delete,
    equal,
    stored,
    update,
)

CONFIRMATION_SECONDS = 3 * 24 * 3600


async def change_address(ctx: Context, email: str, *, password: str) -> User:
    """Changes an account's address at once, if nobody else has it: where no mail is sent."""
    new = _wanted(ctx.person, email)
    await check_password(ctx, password)
    if new == ctx.person.email:
        return await keep_address(ctx)
    # Whether the address is taken cannot be kept from them, so it is not told often.
    async with guessing(ctx.store, ctx.now, (ADDRESS_TAKEN, ctx.person.user_id), wrong=EmailTaken):
        return await _move(ctx, new)


async def want_address(ctx: Context, email: str, *, password: str) -> tuple[User, str]:
    """Notes another address; it becomes theirs by the link whose secret is returned.

    Whether it is taken is not said: that is for the reader of its letters to know.
    """
    new = _wanted(ctx.person, email)
    await check_password(ctx, password)
    link, secret = await _link(ctx, new)
    waiting = None if new == ctx.person.email else new
    return await _changed(ctx, waiting, create(link)), secret


async def keep_address(ctx: Context) -> User:
    """Wants no other address any more."""
    return await _changed(ctx, None)


async def is_taken(store: Store, address: str, by_other_than: str = "") -> bool:
    """Whether an address is taken; only for the letter that is sent to it."""
    claim = await store.get(claim_on_address(address=address))
    return claim is not None and claim.user_id != by_other_than


def address_to_confirm(user: User) -> str | None:
    """Returns the address that a letter has to be sent to; None where all is well."""
    return user.new_email or (user.email if user.email_confirmed_at is None else None)


async def make_confirmation_link(ctx: Context) -> tuple[str, str]:
    """Returns an address that is to be confirmed, and the secret of the link for it."""
    address = address_to_confirm(ctx.person)
    if address is None:
        raise AlreadyConfirmed("Your e-mail address is already confirmed.")
    link, secret = await _link(ctx, address)
    await ctx.store.write(create(link))
    return address, secret


async def confirmed_by(ctx: Context, secret: str) -> str:
    """Returns the address that a person can confirm with a link.

    They must be signed in: a letter that went astray then helps nobody who finds it.
    """
    link = await ctx.store.get(confirmation_link(digest=digest(secret)))
    if link is not None and link.user_id != ctx.person.user_id:
        raise Forbidden("This link is for another account. Sign in with that one to use it.")
    person = ctx.person
    if link is None or (link.epoch, link.address_changes) != (person.epoch, person.address_changes):
        raise _gone()
    for address in (person.new_email, person.email):
        if address is not None and link.address_digest == digest(address):
            return address
    raise _gone()


async def confirm_address(ctx: Context, secret: str) -> User:
    """Confirms an address with a link, which is then worthless; a new one becomes theirs."""
    address = await confirmed_by(ctx, secret)
    used = delete(ConfirmationLink.at(digest=digest(secret)), if_=stored)
    if address != ctx.person.email:
        return await _move(ctx, address, used=used)
    try:
        await ctx.store.write(
            update(ctx.person.ref, email_confirmed_at=iso(ctx.now), if_=_as_known(ctx.person)),
            used,
        )
    except ConditionFailed:
        raise _gone() from None
    return await read_again(ctx.store, ctx.person)


async def _link(ctx: Context, address: str) -> tuple[ConfirmationLink, str]:
    """A link to be stored, and its secret; not too many of them, for anybody or to anywhere."""
    await count_try(ctx.store, ctx.now, CONFIRMATION_OF_ACCOUNT, ctx.person.user_id)
    await count_try(ctx.store, ctx.now, CONFIRMATION_TO_ADDRESS, address)
    secret = new_secret()
    link = ConfirmationLink(
        digest=digest(secret),
        user_id=ctx.person.user_id,
        address_digest=digest(address),
        epoch=ctx.person.epoch,
        address_changes=ctx.person.address_changes,
        made_at=iso(ctx.now),
        ttl=int(ctx.now) + CONFIRMATION_SECONDS,
    )
    return link, secret


def _wanted(user: User, email: str) -> str:
    if user.email is None:
        raise Forbidden("A managed member has no e-mail address.")
    return rules.address(email)


async def _move(ctx: Context, new: str, *, used: Write | None = None) -> User:
    """Moves an account to an address; confirmed, where the link that shows it is used up."""
    writes = [
        update(
            ctx.person,
            email=new,
            new_email=None,
            email_confirmed_at=None if used is None else iso(ctx.now),
            address_changes=add(1),
            updated_at=iso(ctx.now),
            if_=_as_known(ctx.person),
        ),
        *([] if used is None else [used]),
    ]
    own = len(writes)
    old = AddressClaim.at(address=ctx.person.email)
    claim = AddressClaim(address=new, user_id=ctx.person.user_id, made_at=ctx.person.created_at)
    if claim.ref.key != old.key:
        writes += [create(claim), delete(old)]
    try:
        await ctx.store.write(*writes)
    except ConditionFailed as failed:
        if failed.index >= own:
            raise EmailTaken("This address cannot be used here.") from None
        raise (_refusal(failed) if failed.index == 0 else _gone()) from None
    return await read_again(ctx.store, ctx.person)


async def _changed(ctx: Context, waiting: str | None, *more: Write) -> User:
    try:
        await ctx.store.write(
            update(ctx.person.ref, new_email=waiting, if_=_as_known(ctx.person)), *more
        )
    except ConditionFailed as failed:
        raise _refusal(failed) from None
    return await read_again(ctx.store, ctx.person)


def _as_known(user: User) -> Condition:
    """That nothing has changed since which the decision rested on."""
    return equal(
        email=user.email,
        new_email=user.new_email,
        epoch=user.epoch,
        address_changes=user.address_changes,
    )


def _refusal(failed: ConditionFailed) -> Refusal:
    if failed.item is None:
        return AccountDeleted()
    return Forbidden("Something changed in the meantime. Please try again.")


def _gone() -> LinkExpired:
    return LinkExpired("This link was already used or has expired. Ask for a new e-mail.")
