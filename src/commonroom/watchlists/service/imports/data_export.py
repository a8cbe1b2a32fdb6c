"""What is kept of a person's import, for their data export."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.watchlists.tables import WatchlistImport, unmatched_rows


async def export_import(store: Store, person: User) -> dict[str, Any]:
    """Returns a person's import, and its rows that still wait for their titles."""
    kept = await store.get(WatchlistImport.at(account_id=person.user_id))
    if kept is None:
        return {"import": None, "rows_without_a_title": []}
    waiting = store.all(unmatched_rows(import_id=kept.import_id))
    rows = [{"title": one.title, "year": one.year} async for one in waiting]
    return {"import": kept.to_item(), "rows_without_a_title": rows}
