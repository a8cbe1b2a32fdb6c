"""Lists that are attached to a plan: where each is."""

from __future__ import annotations

from commonroom.joins.attachments import AttachableData
from commonroom.store import Ref
from commonroom.watchlists.rules.lists import is_id
from commonroom.watchlists.tables import Watchlist

ATTACHED_AS = "watchlist"


def ref_of(thing_id: str) -> Ref[Watchlist] | None:
    """Returns where the list of an id is; None where the id cannot be one."""
    return Watchlist.at(watchlist_id=thing_id) if is_id(thing_id) else None


ATTACHABLE = AttachableData(
    key=ATTACHED_AS, entities=(Watchlist,), id_of=lambda one: one.watchlist_id, ref=ref_of
)
