"""After a hangout was deleted, or is no longer for some people: what is left is cleared up."""

from __future__ import annotations

from commonroom.hangouts.service.ideas import forget_hangout
from commonroom.hangouts.service.leaving import remove_lost_things
from commonroom.hangouts.tables import Hangout, detail
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_hangout(store: Store, change: Change) -> None:
    """Clears up after a hangout that is gone, or that fewer people may have than before."""
    if change.kind == "remove":
        await clear_hangout(store, change.old)
    elif change.kind == "modify" and _is_for_fewer(change.old, change.new):
        await remove_lost_things(store, change.at, change.new.hangout_id)


async def clear_hangout(store: Store, gone: Hangout) -> None:
    """Deletes what people added to a hangout that is gone; nothing can be added any more.

    An interrupted run goes on with what is left.
    """
    if await store.get(gone.ref) is None:
        await store.delete_all(detail(hangout_id=gone.hangout_id))
        await forget_hangout(store, gone)


def _is_for_fewer(before: Hangout, after: Hangout) -> bool:
    lost_groups = set(before.group_ids) - set(after.group_ids)
    lost_people = set(before.invited_user_ids) - set(after.invited_user_ids)
    is_private_now = before.visibility == "PUBLIC" != after.visibility
    return bool(lost_groups or lost_people or is_private_now)


HANGOUTS = Consumer(name="hangouts-hangouts", wants=(Hangout,), handle=follow_hangout)
