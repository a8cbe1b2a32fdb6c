"""API tokens: what programs show instead of a password."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.stored_accounts import end_by_digest, holder_of
from commonroom.accounts.tables import ApiToken, Scope, User, token_by_digest
from commonroom.errors import InvalidField
from commonroom.moments import elapsed, iso, seconds
from commonroom.store import ConditionFailed, Store, create, equal, update
from commonroom.texts import fit_line

PREFIX = "cr_"
MAX_NAME = 60
MAX_DAYS = 3650
USED_EVERY_SECONDS = 300


async def make_token(
    ctx: Context,
    *,
    name: str,
    scopes: list[Scope],
    days: int | None = None,
) -> tuple[ApiToken, str]:
    """Returns a new token, and its secret, which is shown once."""
    named = fit_line("name", name, MAX_NAME)
    if not scopes:
        raise InvalidField("scopes", "Choose at least one permission.")
    if "admin" in scopes and not ctx.person.is_admin:
        raise InvalidField(
            "scopes", "Only an administrator can create a token with admin permission."
        )
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise InvalidField("days", f"A token can be valid for 1 to {MAX_DAYS} days.")
    secret = new_secret(PREFIX)
    token = ApiToken(
        digest=digest(secret),
        user_id=ctx.person.user_id,
        epoch=ctx.person.epoch,
        name=named,
        scopes=list(dict.fromkeys(scopes)),
        made_at=iso(ctx.now),
        ttl=None if days is None else int(ctx.now) + days * 86400,
    )
    await ctx.store.write(create(token))
    return token, secret


async def find_token(store: Store, now: float, secret: str) -> tuple[User, ApiToken] | None:
    """Whom a program acts for, and with which token."""
    token = await store.get(token_by_digest(digest=digest(secret)))
    user = None if token is None else await holder_of(store, token)
    if token is None or user is None:
        return None
    if token.used_at is None or elapsed(seconds(token.used_at), now) > USED_EVERY_SECONDS:
        try:
            await store.write(update(token, used_at=iso(now)))
            token = replace(token, used_at=iso(now))
        except ConditionFailed:
            return None  # revoked in this very moment
    return user, token


async def revoke_token(ctx: Context, token_digest: str) -> None:
    """Ends one of a person's own tokens."""
    mine = equal(user_id=ctx.person.user_id)
    await end_by_digest(ctx.store, ApiToken, token_digest, mine, "This token does not exist.")
