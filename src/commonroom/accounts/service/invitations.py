"""Invitations: administrators' links with which people sign up."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.secrets import digest, is_digest, new_secret
from commonroom.accounts.tables import Invitation, invitation
from commonroom.errors import NotFound
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    above,
    add,
    create,
    delete,
    stored,
    update,
)
from commonroom.texts import clean_line

INVITATION_SECONDS = 7 * 24 * 3600
MOST_USES = 100


async def invite(ctx: Context, *, note: str = "", uses: int = 1) -> str:
    """An administrator's invitation, valid for a week; gives the secret of its link."""
    secret = new_secret()
    made = Invitation(
        digest=digest(secret),
        made_by=ctx.person.user_id,
        made_at=iso(ctx.now),
        note=clean_line(note)[:100],
        uses_left=max(1, min(uses, MOST_USES)),
        ttl=int(ctx.now) + INVITATION_SECONDS,
    )
    await ctx.store.write(create(made))
    return secret


async def revoke_invitation(store: Store, invitation_digest: str) -> None:
    """Ends an invitation."""
    if not is_digest(invitation_digest):
        raise NotFound("This invitation does not exist.")
    try:
        await store.write(delete(Invitation.at(digest=invitation_digest), if_=stored))
    except ConditionFailed:
        raise NotFound("This invitation does not exist.") from None


async def check_invitation(store: Store, secret: str) -> None:
    """Refuses an invitation with which nobody can sign up any more."""
    found = await store.get(invitation(digest=digest(secret)))
    if found is None or found.uses_left < 1:
        raise invitation_expired()


def use_invitation(secret: str) -> Write:
    """The write that uses an invitation once; its condition fails where none is left."""
    ref = Invitation.at(digest=digest(secret))
    return update(ref, uses_left=add(-1), if_=above(uses_left=0))


def invitation_expired() -> LinkExpired:
    """The refusal for whoever shows an invitation that works no longer."""
    return LinkExpired("This invitation was already used or has expired. Ask for a new one.")
