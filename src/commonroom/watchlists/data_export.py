"""What watchlists keep of a person, for their data export."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.store import BoundPattern, Entity, Ref, Store
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.tables import (
    Comment,
    Profile,
    Watchlist,
    collaborations,
    comments_of_user,
    following,
    owned_lists,
    saved_watchlists,
)

E = TypeVar("E", bound=Entity)

SECRETS = ("viewKeyDigest", "joinKeyDigest")
"""What opens a list; of little use to anybody, and nobody's data."""


async def export_person(store: Store, person: User) -> dict[str, Any]:
    """Returns a person's profile, lists and comments, and what they follow and collaborate on."""
    me = person.user_id
    profile = await store.get(Profile.at(user_id=me))
    mine = [one.watchlist_id async for one in store.all(owned_lists(user_id=me))]
    return {
        "profile": None if profile is None else profile.to_item(),
        "lists": [it async for it in _lists(store, mine)],
        "collaborates_on": [
            {"list": it.title, "by": it.curator_name}
            async for it in _led_to(store, collaborations(user_id=me), _list_of)
        ],
        "saved_lists": [
            {"list": one.title, "since": one.saved_at}
            async for one in store.all(saved_watchlists(user_id=me))
        ],
        "follows": [
            it.username
            async for it in _led_to(
                store, following(user_id=me), lambda one: Profile.at(user_id=one.curator_id)
            )
        ],
        "comments": [
            {"text": it.comment_text, "at": it.created_at, "list": it.watchlist_id}
            async for it in _led_to(store, comments_of_user(user_id=me), _comment_of)
        ],
    }


async def _lists(store: Store, ids: list[str]) -> AsyncIterator[dict[str, Any]]:
    for watchlist_id in ids:
        try:
            found = await get_contents(store, watchlist_id)
        except NotFound:
            continue  # it is being deleted
        kept = found.watchlist.to_item()
        shown = {name: value for name, value in kept.items() if name not in SECRETS}
        yield {"list": shown, "items": [one.to_item() for one in found.items]}


async def _led_to(
    store: Store, asked: BoundPattern[Any], other: Callable[[Any], Ref[E]]
) -> AsyncIterator[E]:
    refs = [other(one) async for one in store.all(asked)]
    for found in await store.batch_get(refs):
        if found is not None:
            yield found


def _list_of(pointer: Any) -> Ref[Watchlist]:
    return Watchlist.at(watchlist_id=pointer.watchlist_id)


def _comment_of(pointer: Any) -> Ref[Comment]:
    return Comment.at(
        watchlist_id=pointer.watchlist_id,
        created_at=pointer.commented_at,
        user_id=pointer.user_id,
    )
