"""After a hangout was deleted, ideas forget it; what people have who lose it goes."""

from __future__ import annotations

from commonroom.hangouts.service.ideas import forget_hangout
from commonroom.hangouts.service.leaving import remove_lost_things
from commonroom.hangouts.tables import Hangout
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_hangout(store: Store, change: Change) -> None:
    """Takes a hangout that is gone off ideas; clears up where fewer people may have it."""
    if change.kind == "remove":
        if await store.get(change.old.ref) is None:
            await forget_hangout(store, change.old)
    elif change.kind == "modify" and _is_for_fewer(change.old, change.new):
        await remove_lost_things(store, change.at, change.new.hangout_id)


def _is_for_fewer(before: Hangout, after: Hangout) -> bool:
    lost_groups = set(before.group_ids) - set(after.group_ids)
    lost_people = set(before.invited_user_ids) - set(after.invited_user_ids)
    is_private_now = before.visibility == "PUBLIC" != after.visibility
    return bool(lost_groups or lost_people or is_private_now)


HANGOUTS = Consumer(name="hangouts-hangouts", wants=(Hangout,), handle=follow_hangout)
