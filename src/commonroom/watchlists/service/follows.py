"""Following curators: both sides and the count change together."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.errors import Conflict
from commonroom.moments import iso
from commonroom.store import Page, Store, as_read, delete, insert, remove
from commonroom.watchlists.relations import follower_of
from commonroom.watchlists.rules.lists import is_id
from commonroom.watchlists.rules.profiles import is_shown
from commonroom.watchlists.service.access import retry, still_there
from commonroom.watchlists.service.profiles import load_profile, no_such_curator
from commonroom.watchlists.tables import Following, Profile, following


@retry
async def follow(ctx: Context, curator_id: str) -> Profile:
    """Follows a curator; following twice changes nothing."""
    me = ctx.person.user_id
    curator = await load_profile(ctx.store, curator_id)
    if curator is None or not is_shown(curator):
        raise no_such_curator()
    if curator_id == me:
        raise Conflict("You cannot follow yourself.")
    if await ctx.store.get(Following.at(user_id=me, curator_id=curator_id)) is not None:
        return curator
    now = iso(ctx.now)
    await ctx.store.write(
        *insert(Following(user_id=me, curator_id=curator_id, followed_at=now)),
        still_there(ctx.person),
    )
    return curator


@retry
async def unfollow(ctx: Context, curator_id: str) -> None:
    """Lets a curator go."""
    if not is_id(curator_id):
        return
    ref = Following.at(user_id=ctx.person.user_id, curator_id=curator_id)
    there = await ctx.store.get(ref)
    if there is not None:
        await end_follow(ctx.store, there)


async def end_follow(store: Store, there: Following) -> None:
    """Unfollows a curator, also one who is gone."""
    if await load_profile(store, there.curator_id) is not None:
        await store.write(*remove(there))
    else:
        gone = delete(there, if_=as_read(there, "followed_at"))
        await store.write(gone, delete(follower_of(there)))


async def my_curators(ctx: Context, *, limit: int = 50, cursor: str | None = None) -> Page[Profile]:
    """Returns the curators whom a person follows: two requests. Who is suspended is not shown."""
    asked = following(user_id=ctx.person.user_id)
    page = await ctx.store.page(asked, limit=limit, cursor=cursor)
    found = await ctx.store.batch_get([Profile.at(user_id=one.curator_id) for one in page.items])
    return Page([one for one in found if one is not None and is_shown(one)], page.seal)


async def is_following(ctx: Context, curator_id: str) -> bool:
    """Returns whether a person follows a curator: one request."""
    ref = Following.at(user_id=ctx.person.user_id, curator_id=curator_id)
    return await ctx.store.get(ref) is not None
