"""What shareables keep of a person, for whoever takes their data along."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.shareables.tables import kept_pages
from commonroom.store import Store


async def kept_for(store: Store, person: User) -> dict[str, Any]:
    """The pages in a person's list: which, and whether they made them."""
    kept = [one async for one in store.all(kept_pages(user_id=person.user_id))]
    return {"pages": [{"short_id": one.short_id, "role": one.role} for one in kept]}
