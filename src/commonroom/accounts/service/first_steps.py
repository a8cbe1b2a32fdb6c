"""What an account remembers of its first steps: rooms that are in use, and steps put aside."""

from __future__ import annotations

from contextlib import suppress

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Retry,
    Store,
    absent,
    append,
    as_read,
    includes,
    stored,
    update,
)

retry = Retry(tries=25, refusal=Conflict)


async def note_used_room(store: Store, user_id: str, key: str) -> None:
    """Remembers that a room holds something of a person's, once for each person and room."""
    is_new = stored & ~includes(opened_rooms=key)
    with suppress(ConditionFailed):  # it is known, or the account is gone
        await store.write(update(User.at(user_id=user_id), opened_rooms=append(key), if_=is_new))


@retry
async def forget_unused_room(store: Store, user_id: str, key: str) -> None:
    """Takes back that a room holds something of a person's."""
    person = await store.get(User.at(user_id=user_id))
    if person is None or key not in person.opened_rooms:
        return
    others = [one for one in person.opened_rooms if one != key]
    unchanged = as_read(person, "opened_rooms")
    await store.write(update(person.ref, opened_rooms=others, if_=unchanged))


async def note_invited(ctx: Context) -> None:
    """Remembers that a person has invited another: one write, once for each person."""
    if ctx.person.invited_at is not None:
        return
    is_first = stored & absent("invited_at")
    with suppress(ConditionFailed):
        await ctx.store.write(update(ctx.person.ref, invited_at=iso(ctx.now), if_=is_first))


async def put_steps_aside(ctx: Context) -> None:
    """Remembers that a person needs no first steps any more: one write."""
    with suppress(ConditionFailed):  # the account is gone
        await ctx.store.write(update(ctx.person.ref, steps_done_at=iso(ctx.now), if_=stored))
