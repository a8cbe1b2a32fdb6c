"""After an account was deleted: groups, hangouts, answers and places of its person."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.departures import PersonalThing, remove_thing
from commonroom.hangouts.service.leaving import uninvite_writes
from commonroom.hangouts.service.members import end_membership
from commonroom.hangouts.service.pointers import deletion_writes
from commonroom.hangouts.service.talk import remove_message
from commonroom.hangouts.tables import (
    Hangout,
    HangoutPerson,
    InvitationPointer,
    TalkMessage,
    agenda,
    invitations,
    members,
    things_of_user,
)
from commonroom.notifications.notifications import remove_name
from commonroom.store import Store, delete


async def clear_account(store: Store, now: float, gone: User) -> None:
    """Takes a person, or a managed member, out of the room; each step can be done again.

    Groups that they leave are followed by what they had on the hangouts of these.
    """
    me = gone.user_id
    person = await store.get(HangoutPerson.at(user_id=me))
    for group_id in person.groups if person is not None else ():
        others = {one.user_id async for one in store.all(members(group_id=group_id))}
        await remove_name(store, others - {me}, gone.display_name)
        await end_membership(store, group_id, me)
    async for pointer in store.all(invitations(user_id=me)):
        await _leave_list(store, now, pointer)
    await remove_all_things(store, now, me)
    await store.delete_all(agenda(user_id=me))
    if not gone.is_managed:
        await store.write(delete(HangoutPerson.at(user_id=me)))


async def remove_all_things(store: Store, now: float, user_id: str) -> None:
    """Removes what a person has on any hangout, as far as an index knows, and what they said."""
    async for thing in store.all(things_of_user(user_id=user_id)):
        if isinstance(thing, PersonalThing):
            await remove_thing(store, now, thing)
        elif isinstance(thing, TalkMessage):
            await remove_message(store, thing)


@retry
async def _leave_list(store: Store, now: float, pointer: InvitationPointer) -> None:
    """Takes a hangout off the list of a deleted person; what they made for no group goes along."""
    before = await store.get(Hangout.at(hangout_id=pointer.hangout_id))
    me = pointer.user_id
    if before is None or me not in before.invited_user_ids:
        await store.write(delete(pointer))
    elif before.created_by == me and not before.group_ids:
        await store.write(*deletion_writes(before))
    else:
        await store.write(*uninvite_writes(now, before, me))
