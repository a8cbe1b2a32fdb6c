"""After a list of ideas was deleted: its ideas go, too."""

from __future__ import annotations

from commonroom.hangouts.tables import IdeaList, ideas_of_list
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def clear_list(store: Store, change: Change) -> None:
    """Deletes what was in a list that is gone; nothing can be added to it any more."""
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    gone: IdeaList = change.old
    await store.delete_all(ideas_of_list(group_id=gone.group_id, list_id=gone.list_id))


IDEAS = Consumer(name="hangouts-ideas", wants=(IdeaList,), handle=clear_list)
