"""What a person thinks of titles and has seen, for their data export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.titles.stored_titles import title_ref
from commonroom.titles.titles import TitleId
from commonroom.watchlists.tables import Rating, Seen, ratings_of_user, seen_of_user

BATCH = 100


async def export_opinions(store: Store, person: User) -> dict[str, Any]:
    """A person's ratings with their reviews, and what they have seen, each with its title."""
    ratings = [one async for one in store.all(ratings_of_user(user_id=person.user_id))]
    marks = [one async for one in store.all(seen_of_user(user_id=person.user_id))]
    return {
        "ratings": await _with_titles(store, ratings),
        "seen": await _with_titles(store, [one for one in marks if one.is_seen]),
    }


async def _with_titles(
    store: Store, opinions: Sequence[Rating] | Sequence[Seen]
) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    for start in range(0, len(opinions), BATCH):
        some = opinions[start : start + BATCH]
        refs = [title_ref(TitleId(one.content_type, one.content_id)) for one in some]
        titles = await store.batch_get(refs)
        told += [
            {"title": None if title is None else title.title, **one.to_item()}
            for one, title in zip(some, titles, strict=True)
        ]
    return told
