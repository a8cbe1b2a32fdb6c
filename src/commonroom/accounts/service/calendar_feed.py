"""Calendar feeds: the private address at which programs follow a person's calendar."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any
from urllib.parse import quote

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.tables import CalendarFeed, User, calendar_feed_of
from commonroom.errors import NotFound
from commonroom.moments import iso
from commonroom.store import Ref, Store, check, delete, equal, put

MAX_PART = 100
FEED = "/calendar/{user_id:str}/{file:str}"
"""Where feeds are, as a route."""
ENDING = ".ics"


def feed_address(user_id: str, token: str) -> str:
    """Returns the path of a feed: its own secret."""
    return f"/calendar/{quote(user_id, safe='')}/{token}{ENDING}"


async def make_feed(ctx: Context) -> str:
    """A new token for a person's feed, shown once; an earlier one opens nothing any more."""
    token = new_secret()
    feed = CalendarFeed(
        user_id=ctx.person.user_id,
        digest=digest(token),
        epoch=ctx.person.epoch,
        made_at=iso(ctx.now),
    )
    await ctx.store.write(put(feed), check(ctx.person, if_=equal(epoch=ctx.person.epoch)))
    return token


async def find_feed(ctx: Context) -> CalendarFeed | None:
    """Returns a person's feed, where there is one that works: one request."""
    found = await ctx.store.get(calendar_feed_of(user_id=ctx.person.user_id))
    return found if found is not None and found.epoch == ctx.person.epoch else None


async def revoke_feed(ctx: Context) -> None:
    """Ends a person's feed."""
    await ctx.store.write(delete(CalendarFeed.at(user_id=ctx.person.user_id)))


async def open_feed(store: Store, user_id: str, token: str) -> User:
    """Whose feed an address is: one request; whatever is wrong with it is said in the same way."""
    refs: list[Ref[Any]] = [User.at(user_id=user_id), CalendarFeed.at(user_id=user_id)]
    user, feed = await store.batch_get(refs) if _may_be_parts(user_id, token) else (None, None)
    is_right = (
        isinstance(user, User)
        and isinstance(feed, CalendarFeed)
        and compare_digest(feed.digest, digest(token))
        and feed.epoch == user.epoch
        and user.disabled_at is None
    )
    if not isinstance(user, User) or not is_right:
        raise NotFound("This calendar address does not work, or no longer.")
    return user


def _may_be_parts(*parts: str) -> bool:
    """Whether these can be in a key: they come from an address."""
    return all(0 < len(one) <= MAX_PART and one.isprintable() for one in parts)
