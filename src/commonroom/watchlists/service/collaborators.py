"""Collaborators of a list, who come by a link, and the link that opens a private list."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.blocks import has_blocked
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Gone, NotFound
from commonroom.moments import iso
from commonroom.store import Store, Write, as_read, check, create, delete, update
from commonroom.watchlists.rules.lists import MAX_COLLABORATORS, opens
from commonroom.watchlists.service.access import (
    find_list,
    get_list,
    no_such_list,
    own_list,
    retry,
    still_there,
)
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.tables import Collaboration, Watchlist

Link: TypeAlias = Literal["view", "join"]
SEPARATOR = "."
"""Stands in no key."""
FIELDS: dict[Link, str] = {"view": "view_key_digest", "join": "join_key_digest"}


async def create_link(ctx: Context, watchlist_id: str, link: Link) -> str:
    """The key of a new link, which nobody is shown again; one that was given before ends."""
    key = new_secret()
    await _set_link(ctx, watchlist_id, link, digest(key))
    return key


async def revoke_link(ctx: Context, watchlist_id: str, link: Link) -> None:
    """Ends a link; collaborators who came by it stay."""
    await _set_link(ctx, watchlist_id, link, None)


@retry
async def _set_link(ctx: Context, watchlist_id: str, link: Link, kept: str | None) -> None:
    found = await own_list(ctx, watchlist_id)
    changes: dict[str, Any] = {FIELDS[link]: kept}
    if getattr(found, FIELDS[link]) != kept:
        await ctx.store.write(update(found, **changes))


async def see_invitation(store: Store, watchlist_id: str, key: str) -> Watchlist:
    """Returns the list that a link invites to, for anybody who holds it: one request."""
    found = await find_list(store, watchlist_id)
    if found is None or not opens(found.join_key_digest, key):
        raise _no_invitation()
    return found


def signup_invitation(watchlist_id: str, key: str) -> str:
    """The link as a sign-up takes it along: one text, which no other kind of invitation has."""
    return f"{watchlist_id}{SEPARATOR}{key}"


async def signup_checks(store: Store, _now: float, typed: str) -> list[Write]:
    """Returns what a sign-up with the link requires: that it is good, and that there is room."""
    watchlist_id, _, key = typed.rpartition(SEPARATOR)
    found = await find_list(store, watchlist_id)
    if found is None or not opens(found.join_key_digest, key):
        raise NotFound("No list has this link.")
    if len(found.collaborator_ids) >= MAX_COLLABORATORS:
        raise Gone("This list has as many collaborators as it can have.")
    return [check(found.ref, if_=as_read(found, "join_key_digest"))]


@retry
async def join(ctx: Context, watchlist_id: str, key: str) -> Watchlist:
    """Makes a person a collaborator; one who is already stays one.

    To those whom the owner has blocked, there is no such link.
    """
    me = ctx.person.user_id

    found = await see_invitation(ctx.store, watchlist_id, key)
    if me == found.curator_id or me in found.collaborator_ids:
        return found
    owner = await ctx.store.get(User.at(user_id=found.curator_id))
    if owner is not None and has_blocked(owner, me):
        raise _no_invitation()
    if len(found.collaborator_ids) >= MAX_COLLABORATORS:
        raise Conflict(f"A list can have up to {MAX_COLLABORATORS} collaborators.")
    await ensure_profile(ctx)  # the others see a name
    ids = [*found.collaborator_ids, me]
    await ctx.store.write(
        update(found, collaborator_ids=ids),
        create(Collaboration(user_id=me, watchlist_id=watchlist_id, joined_at=iso(ctx.now))),
        still_there(ctx.person),
    )
    return replace(found, collaborator_ids=ids, version=found.version + 1)


@retry
async def remove_collaborator(ctx: Context, watchlist_id: str, user_id: str) -> bool:
    """Removes a collaborator from a person's own list; returns whether an invitation link ended.

    The link is what they came in by: it ends with them, so that they stay out.
    """
    found = await own_list(ctx, watchlist_id)
    if user_id not in found.collaborator_ids:
        raise NotFound("This person does not collaborate on the list.")
    await ctx.store.write(*end_collaboration(found, user_id, ends_link=True))
    return found.join_key_digest is not None


@retry
async def leave(ctx: Context, watchlist_id: str) -> None:
    """Ends that a person collaborates on a list."""
    found = await get_list(ctx.store, watchlist_id)
    if ctx.person.user_id not in found.collaborator_ids:
        raise no_such_list()
    await ctx.store.write(*end_collaboration(found, ctx.person.user_id))


def end_collaboration(found: Watchlist, user_id: str, *, ends_link: bool = False) -> list[Write]:
    """Returns the writes that remove a collaborator and their pointer; what they added stays."""
    changes: dict[str, Any] = {
        "collaborator_ids": [one for one in found.collaborator_ids if one != user_id]
    }
    if ends_link:
        changes["join_key_digest"] = None
    pointer = Collaboration.at(user_id=user_id, watchlist_id=found.watchlist_id)
    return [update(found, **changes), delete(pointer)]


def _no_invitation() -> NotFound:
    """Returns the refusal that does not tell whether there is such a list."""
    return NotFound("This link does not work any more. Ask for a new one.")
