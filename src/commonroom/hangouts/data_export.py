"""What hangouts keep of a person, for the person who takes their data along."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from commonroom.accounts.tables import User
from commonroom.hangouts.tables import (
    FriendGroup,
    GroupMembership,
    Hangout,
    HangoutPerson,
    Idea,
    TalkMessage,
    ideas,
    invitations,
    places_of_user,
    things_of_user,
)
from commonroom.moments import known
from commonroom.store import Ref, Store

OTHERS = ("waiting", "groupIds", "invitedUserIds", "guestLink", "changedBy")
"""What a hangout keeps of others, or what opens it."""


async def export_person(store: Store, person: User) -> dict[str, Any]:
    """Returns a person's groups, places, hangouts, ideas, and all they have on hangouts."""
    me = person.user_id
    known = await store.get(HangoutPerson.at(user_id=me))
    group_ids = [] if known is None else list(known.groups)
    on = [one async for one in store.all(things_of_user(user_id=me))]
    return {
        "groups": await _groups(store, me, group_ids),
        "places": [
            {**one.to_item(), "isHome": known is not None and known.home_place_id == one.place_id}
            async for one in store.all(places_of_user(user_id=me))
        ],
        "hangouts": await _hangouts(store, me),
        "ideas": [one async for one in _ideas(store, me, group_ids)],
        "answers_and_more": [one.to_item() for one in on if not isinstance(one, TalkMessage)],
        "messages": [
            {"text": one.text, "at": one.sent_at, "hangout": one.hangout_id}
            for one in on
            if isinstance(one, TalkMessage)
        ],
    }


async def _groups(store: Store, me: str, group_ids: list[str]) -> list[dict[str, Any]]:
    refs: list[Ref[Any]] = [GroupMembership.at(group_id=one, user_id=me) for one in group_ids]
    refs += [FriendGroup.at(group_id=one) for one in group_ids]
    read = await store.batch_get(refs)
    names = {one.group_id: one.group_name for one in read if isinstance(one, FriendGroup)}
    return [
        {"name": names.get(one.group_id), "role": one.role, "joined_at": known(one.joined_at)}
        for one in read
        if isinstance(one, GroupMembership)
    ]


async def _hangouts(store: Store, me: str) -> list[dict[str, Any]]:
    """What they made, and what they were invited to; of others' hangouts, no more than a list."""
    pointers = [one async for one in store.all(invitations(user_id=me))]
    found = await store.batch_get([Hangout.at(hangout_id=one.hangout_id) for one in pointers])
    return [
        {name: value for name, value in one.to_item().items() if name not in OTHERS}
        if one.created_by == me
        else {"title": one.title, "time": one.to_item().get("time"), "invited": True}
        for one in found
        if one is not None
    ]


async def _ideas(store: Store, me: str, group_ids: list[str]) -> AsyncIterator[dict[str, Any]]:
    """Ideas that they had, or would do."""
    for group_id in group_ids:
        async for one in store.all(ideas(group_id=group_id)):
            if isinstance(one, Idea) and (one.created_by == me or me in one.interested):
                yield {
                    "name": one.name,
                    "note": one.note,
                    "url": one.url,
                    "is_own": one.created_by == me,
                    "interested_since": one.interested.get(me),
                }
