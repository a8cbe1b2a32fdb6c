"""Finding accounts by e-mail address, so seldom that nobody can guess addresses."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.rules import address
from commonroom.accounts.service.blocks import has_blocked
from commonroom.accounts.service.stored_accounts import account_with
from commonroom.accounts.service.throttle import Limit, count_try, guessing
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField

BY_PERSON = Limit("find-address-person", 10, 10 * 1800, first_wait=60)
FOUND_BY_PERSON = Limit("find-address-found", 30, 30 * 600)
"""Thirty at once, then one every ten minutes: as many as a person lends in an afternoon."""
FROM_ADDRESS = Limit("find-address-from", 30, 30 * 600, first_wait=60)


async def find_account(ctx: Context, email: str, *, asked_from: str = "") -> User:
    """Returns the other person with an address, however it is typed.

    Each try is counted before it is made, for the caller and for where they ask from, if that is
    known; it is taken back where a person is found: they will see what became of it. Those are
    counted, too: each is told, and nobody can have the whole house told.
    """
    wanted = address(email)
    tries = [(BY_PERSON, ctx.person.user_id), *([(FROM_ADDRESS, asked_from)] if asked_from else [])]
    async with guessing(ctx.store, ctx.now, *tries, wrong=InvalidField):
        found = await account_with(ctx.store, wanted)
        is_there = found is not None and found.disabled_at is None
        # Who has blocked the one who asks is nobody to them.
        if found is None or not is_there or has_blocked(found, ctx.person.user_id):
            raise InvalidField("email", "No account here has this e-mail address.")
    if found.user_id == ctx.person.user_id:
        raise InvalidField("email", "This is your own e-mail address.")
    await count_try(ctx.store, ctx.now, FOUND_BY_PERSON, ctx.person.user_id)
    return found
