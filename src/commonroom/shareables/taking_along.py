"""What shareables keep of a person, for whoever takes their data along."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.shareables.tables import Kept, kept_pages, shareable
from commonroom.store import Store

SECRETS = frozenset(
    {"viewPasscode", "adminPasscode", "viewPasscodeVersion", "adminPasscodeVersion"}
    | {"creatorTokenVersion", "pk", "sk"}
)
"""What a page holds besides what its maker put there."""


async def kept_for(store: Store, person: User) -> dict[str, Any]:
    """The pages in a person's list, with all that is on those that they made."""
    kept = [one async for one in store.all(kept_pages(user_id=person.user_id))]
    return {"pages": [await _page(store, one) for one in kept]}


async def _page(store: Store, kept: Kept) -> dict[str, Any]:
    listed = {"short_id": kept.short_id, "role": kept.role}
    page = await store.get(shareable(short_id=kept.short_id)) if kept.role == "made" else None
    if page is None or page.created_by != kept.user_id:
        return listed
    content = {name: value for name, value in page.to_item().items() if name not in SECRETS}
    return listed | {"content": content}
