"""Guards: what must hold while a consumer takes back what a person has on a hangout.

A record is handled some time after it was written. What its person did since then is theirs to
keep: a guard looks at each thing as it is now, and its conditions join the write that removes it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from commonroom.hangouts.tables import Rsvp, RsvpStatus
from commonroom.store import Store, Write, check, equal, new

Guard: TypeAlias = Callable[[Any], Awaitable[Sequence[Write] | None]]
"""The conditions on which a thing goes; None where it stays."""


async def no_guard(_: Any) -> Sequence[Write]:
    """Lets everything go, as with an account that is gone."""
    return ()


def has_declined(store: Store, hangout_id: str, user_id: str, *, since: str | None = None) -> Guard:
    """Lets go of what a person took before they declined, or took their answer back.

    Each thing says which answer its person had when they took it. Nothing can be taken under an
    answer that is no longer given, so what was taken under the present one is newer; unless they
    gave the same answer earlier, too, and took it before the moment `since`.
    """
    ref = Rsvp.at(hangout_id=hangout_id, user_id=user_id)

    async def guard(thing: Any) -> Sequence[Write] | None:
        rsvp = await store.get(ref)
        if comes(rsvp):
            return None
        is_older = None not in (since, thing.taken_at) and thing.taken_at < since
        if thing.rsvp_status == status_of(rsvp) and not is_older:
            return None
        return [same_rsvp(hangout_id, user_id, rsvp)]

    return guard


def comes(rsvp: Rsvp | None) -> bool:
    """Returns whether a person has said that they come, or may."""
    return rsvp is not None and rsvp.status != "NOT_GOING"


def status_of(rsvp: Rsvp | None) -> RsvpStatus | None:
    """Returns what a person has answered; None where they have not."""
    return None if rsvp is None else rsvp.status


def same_rsvp(hangout_id: str, user_id: str, rsvp: Rsvp | None) -> Write:
    """Returns the check that a person still has the answer that was read, or none."""
    ref = Rsvp.at(hangout_id=hangout_id, user_id=user_id)
    return check(ref, if_=new if rsvp is None else equal(status=rsvp.status))


def with_guard(writes: Sequence[Write], held: Sequence[Write]) -> list[Write]:
    """A removal with its guard's conditions, but for what it changes, and so holds, itself."""
    own = {(one.entity_type.schema.table.name, one.operation.key) for one in writes}
    others = [
        one for one in held if (one.entity_type.schema.table.name, one.operation.key) not in own
    ]
    return [*writes, *others]
