"""After a thing was taken off the bring list: who claimed it is cleared up."""

from __future__ import annotations

from commonroom.hangouts.tables import BringItem, bring_claims
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_item(store: Store, change: Change) -> None:
    """Deletes the claims of a thing that is gone; nobody can claim it any more."""
    if change.kind != "remove":
        return
    gone: BringItem = change.old
    if await store.get(gone.ref) is None:
        key = {"hangout_id": gone.hangout_id, "bring_item_id": gone.bring_item_id}
        await store.delete_all(bring_claims(**key))


BRING_LIST = Consumer(name="hangouts-bring-list", wants=(BringItem,), handle=follow_item)
