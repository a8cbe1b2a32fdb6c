"""Blocking: nothing that one person does reaches another who wants to hear no more of them.

It is quiet: who is blocked is told nothing, and is refused only as a stranger would be.
"""

from __future__ import annotations

from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.errors import UnknownPerson
from commonroom.accounts.rules import is_user_id
from commonroom.accounts.service.stored_accounts import read_again
from commonroom.accounts.tables import Block, User, user_by_id
from commonroom.errors import Conflict, InvalidField
from commonroom.moments import iso
from commonroom.store import (
    Retry,
    Store,
    as_read,
    check,
    delete,
    discard,
    merge,
    put,
    stored,
    update,
)
from commonroom.store.errors import BadCursor

MAX_BLOCKED = 100
"""They stand in the person's own item, which is read with every request."""
PERSON = "person"

retry = Retry(tries=10, refusal=Conflict)


def has_blocked(person: User, other_id: str | None) -> bool:
    """Whether a person has blocked another."""
    return other_id is not None and other_id in person.blocked


def person_handle(store: Store, user_id: str, name: str) -> str:
    """What pages and API name a person by who may be a stranger: sealed, with the name shown.

    It opens nothing but `block` and `unblock`, and does not tell the person's id.
    """
    return store.seal_position([user_id, name], PERSON)


def open_handle(store: Store, handle: str) -> tuple[str, str]:
    """Returns the id and the name in a handle."""
    try:
        user_id, name = store.open_position(handle, PERSON)
    except BadCursor:
        raise UnknownPerson from None
    return user_id, name


async def block(ctx: Context, user_id: str, name: str) -> str:
    """Blocks a person, whom the list of the blocked calls `name`; returns since when they are."""
    me = ctx.person.user_id
    if user_id == me:
        raise InvalidField("person", "You cannot block yourself.")
    found = await ctx.store.get(user_by_id(user_id=user_id)) if is_user_id(user_id) else None
    if found is None:
        raise UnknownPerson
    if found.parent_user_id == me:
        raise InvalidField("person", "You manage this person yourself.")
    now = iso(ctx.now)
    made = Block(blocked_id=user_id, user_id=me, name=name, made_at=now)

    @retry
    async def attempt() -> str:
        person = await read_again(ctx.store, ctx.person)
        if user_id in person.blocked:
            return person.blocked[user_id]
        if len(person.blocked) >= MAX_BLOCKED:
            raise Conflict(f"You can block up to {MAX_BLOCKED} people.")
        changed = update(person, blocked=merge({user_id: now}), if_=as_read(person, "blocked"))
        await ctx.store.write(changed, put(made), check(found, if_=stored))
        return now

    return await attempt()


@retry
async def unblock(ctx: Context, user_id: str) -> None:
    """Ends a block; where there is none, nothing happens."""
    block_ref = Block.at(blocked_id=user_id, user_id=ctx.person.user_id)

    person = await read_again(ctx.store, ctx.person)
    if user_id in person.blocked:
        await ctx.store.write(*_unblocked(person, user_id), delete(block_ref))


async def list_blocked(store: Store, person: User) -> list[Block]:
    """Whom a person has blocked, the latest first: one request, or none."""
    refs = [Block.at(blocked_id=one, user_id=person.user_id) for one in person.blocked]
    found = await store.batch_get(refs) if refs else []
    return sorted(
        (one for one in found if one is not None), key=lambda one: one.made_at, reverse=True
    )


async def export_blocked(store: Store, person: User) -> dict[str, Any]:
    """Whom a person has blocked, for their data export: by name, as their page shows them."""
    found = await list_blocked(store, person)
    return {"people": [{"name": one.name, "since": one.made_at} for one in found]}


@retry
async def forget_block(store: Store, one: Block) -> None:
    """Takes a person who left out of another's list of blocked people."""
    person = await store.get(user_by_id(user_id=one.user_id))
    held = [] if person is None else _unblocked(person, one.blocked_id)
    await store.write(*held, delete(one))


def _unblocked(person: User, user_id: str) -> list[Any]:
    if user_id not in person.blocked:
        return []
    return [update(person, blocked=discard(user_id), if_=as_read(person, "blocked"))]
