"""After a hangout was deleted, or is no longer for some people: what is left is cleared up."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.hangouts.rules.access import standing_of
from commonroom.hangouts.service.departures import PersonalThing, remove_thing
from commonroom.hangouts.tables import (
    Group,
    Hangout,
    Membership,
    detail,
)
from commonroom.store import Ref, Store
from commonroom.store.streams import Change, Consumer


async def follow_hangout(store: Store, change: Change) -> None:
    """Clears up after a hangout that is gone, or that fewer people may have than before."""
    if change.kind == "remove":
        await clear_hangout(store, change.old)
    elif change.kind == "modify" and _is_for_fewer(change.old, change.new):
        await remove_lost_answers(store, change.at, change.new.hangout_id)


async def clear_hangout(store: Store, gone: Hangout) -> None:
    """Deletes what people added to a hangout that is gone; nothing can be added any more.

    Whoever is interrupted goes on with what is left.
    """
    if await store.get(gone.ref) is None:
        await store.delete_all(detail(hangout_id=gone.hangout_id))


def _is_for_fewer(before: Hangout, after: Hangout) -> bool:
    lost_groups = set(before.group_ids) - set(after.group_ids)
    lost_people = set(before.invited_user_ids) - set(after.invited_user_ids)
    is_private_now = before.visibility == "PUBLIC" != after.visibility
    return bool(lost_groups or lost_people or is_private_now)


async def remove_lost_answers(store: Store, now: float, hangout_id: str) -> None:
    """Removes what people have on a hangout who may no longer have it, children included."""
    hangout = await store.get(Hangout.at(hangout_id=hangout_id))
    if hangout is None:
        return
    things = [one async for one in store.all(detail(hangout_id=hangout_id))]
    theirs = [one for one in things if isinstance(one, PersonalThing)]
    people = {one.user_id for one in theirs}
    lost = {one for one in people if not await _may_have(store, hangout, one)}
    for thing in theirs:
        if thing.user_id in lost:
            await remove_thing(store, now, thing)


async def _may_have(store: Store, hangout: Hangout, user_id: str) -> bool:
    user = await store.get(User.at(user_id=user_id))
    account = user.parent_user_id if user is not None and user.is_managed else user_id
    if user is None or account is None:
        return False
    refs: list[Ref[Any]] = [
        *(Membership.at(group_id=one, user_id=account) for one in hangout.group_ids),
        *(Group.at(group_id=one) for one in hangout.group_ids),
    ]
    read = await store.batch_get(refs) if refs else []
    memberships = [one for one in read if isinstance(one, Membership)]
    groups = [one for one in read if isinstance(one, Group)]
    return standing_of(hangout, account, memberships, groups) is not None


HANGOUTS = Consumer(name="hangouts-hangouts", wants=(Hangout,), handle=follow_hangout)
