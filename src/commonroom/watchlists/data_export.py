"""What watchlists keep of a person, for their data export."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.store import BoundPattern, Entity, Ref, Store
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.service.titles import load_titles
from commonroom.watchlists.tables import (
    Comment,
    Profile,
    Rating,
    Seen,
    Watchlist,
    WatchlistImport,
    collaborations,
    comments_of_user,
    following,
    owned_lists,
    ratings_of_user,
    saved_watchlists,
    seen_of_user,
    unmatched_rows,
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
            async for it in _led_to(
                store,
                collaborations(user_id=me),
                lambda one: Watchlist.at(watchlist_id=one.watchlist_id),
            )
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


async def export_opinions(store: Store, person: User) -> dict[str, Any]:
    """A person's ratings with their reviews, and what they have seen, each with its title."""
    ratings = [one async for one in store.all(ratings_of_user(user_id=person.user_id))]
    marks = [one async for one in store.all(seen_of_user(user_id=person.user_id)) if one.is_seen]
    return {
        "ratings": await _with_titles(store, ratings),
        "seen": await _with_titles(store, marks),
    }


async def export_import(store: Store, person: User) -> dict[str, Any]:
    """Returns a person's import, and its rows that still wait for their titles."""
    kept = await store.get(WatchlistImport.at(account_id=person.user_id))
    if kept is None:
        return {"import": None, "rows_without_a_title": []}
    waiting = store.all(unmatched_rows(import_id=kept.import_id))
    rows = [{"title": one.title, "year": one.year} async for one in waiting]
    return {"import": kept.to_item(), "rows_without_a_title": rows}


async def _with_titles(store: Store, opinions: Sequence[Rating | Seen]) -> list[dict[str, Any]]:
    titles = await load_titles(store, opinions)
    return [
        {"title": None if title is None else title.title, **one.to_item()}
        for one, title in zip(opinions, titles, strict=True)
    ]


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


def _comment_of(pointer: Any) -> Ref[Comment]:
    return Comment.at(
        watchlist_id=pointer.watchlist_id,
        created_at=pointer.commented_at,
        user_id=pointer.user_id,
    )
