"""What stands on a hangout that is gone, or was said by a person who is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from commonroom.accounts.tables import User
from commonroom.hangouts.tables import (
    OF_A_PERSON,
    AttachmentPointer,
    BringItem,
    GuestRsvp,
    Hangout,
    HangoutPoll,
    TalkMessage,
)
from commonroom.store import Entity, Ref, add, check, delete, new, stored, update
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule


def _thing_refers(one: Any) -> Iterator[Ref[Any]]:
    yield _hangout(one)


async def _check_thing(one: Any, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if found.at(_hangout(one)) is None:
        gone = check(_hangout(one), if_=new)
        yield RelatedProblem(
            "orphans", "The hangout that it was on was deleted.", [gone, delete(one)]
        )


def _message_refers(one: TalkMessage) -> Iterator[Ref[Any]]:
    yield _hangout(one)
    yield _author(one)


async def _check_message(one: TalkMessage, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    async for problem in _check_thing(one, found):
        yield problem
        return
    if found.at(_author(one)) is None:
        repair = [
            check(_author(one), if_=new),
            delete(one, if_=stored),
            update(_hangout(one), message_count=add(-1)),
        ]
        yield RelatedProblem("orphans", "Whoever said it has no account any more.", repair)


def _hangout(one: Any) -> Ref[Hangout]:
    return Hangout.at(hangout_id=one.hangout_id)


def _author(one: TalkMessage) -> Ref[User]:
    return User.at(user_id=one.user_id)


RULES: dict[type[Entity], Rule] = {
    **dict.fromkeys(
        (*OF_A_PERSON, GuestRsvp, HangoutPoll, BringItem, AttachmentPointer),
        Rule(_thing_refers, _check_thing),
    ),
    TalkMessage: Rule(_message_refers, _check_message),
}
