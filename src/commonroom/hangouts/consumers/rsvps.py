"""After a person declined, or took their answer back: their seats and spots are free again."""

from __future__ import annotations

from commonroom.hangouts.service.departures import decline
from commonroom.hangouts.service.guards import comes
from commonroom.hangouts.tables import Rsvp
from commonroom.moments import is_future, seconds
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_answer(store: Store, change: Change) -> None:
    """Releases what a person who does not come took before, as their RSVP is now."""
    before, after = change.old, change.new
    if comes(after) or (before is not None and not comes(before)):
        return
    now = await store.get((after or before).ref)
    if not comes(now):
        gone: Rsvp = after or before
        since = _since(change)
        await decline(store, gone.hangout_id, gone.user_id, since=since)


def _since(change: Change) -> str | None:
    """Before when everything is older than this: it was declined, or first answered, then.

    None where a clock was wrong that has been set back.
    """
    before, after = change.old, change.new
    moment: str = before.created_at if after is None else after.updated_at
    return None if is_future(seconds(moment), change.at) else moment


ANSWERS = Consumer(name="hangouts-answers", wants=(Rsvp,), handle=follow_answer)
