"""After somebody declined, or took their answer back: their seats and spots are free again."""

from __future__ import annotations

from commonroom.hangouts.service.departures import decline
from commonroom.hangouts.service.guards import comes
from commonroom.hangouts.tables import Rsvp
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_answer(store: Store, change: Change) -> None:
    """Gives back what whoever does not come took before, as their answer is now."""
    before, after = change.old, change.new
    if comes(after) or (before is not None and not comes(before)):
        return
    now = await store.get((after or before).ref)
    if not comes(now):
        gone: Rsvp = after or before
        await decline(store, gone.hangout_id, gone.user_id)


ANSWERS = Consumer(name="hangouts-answers", wants=(Rsvp,), handle=follow_answer)
