"""After the deadline of a poll decided nothing; and what happens at a deadline."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.hangouts.notifications import POLL_TIED
from commonroom.hangouts.rules.access import standing_of
from commonroom.hangouts.service.poll_closing import close_at_deadline
from commonroom.hangouts.service.polls import DEADLINE
from commonroom.hangouts.tables import GroupMembership, Hangout, HangoutPoll
from commonroom.notifications.notifications import tell
from commonroom.store import Ref, Store
from commonroom.store.streams import Change, Consumer
from commonroom.timers import ActTimer, Handler, Timer


async def follow_poll(store: Store, change: Change) -> None:
    """Asks the maker of a poll that is tied at its deadline."""
    if change.kind == "modify" and change.new.overdue_at not in (None, change.old.overdue_at):
        await ask_maker(store, change.at, change.new)


async def ask_maker(store: Store, now: float, poll: HangoutPoll) -> None:
    """Asks a poll's maker to decide it, once for each deadline."""
    hangout = await store.get(Hangout.at(hangout_id=poll.hangout_id))
    if hangout is None or hangout.cancelled_at is not None:
        return
    maker = await who_decides(store, hangout, poll)
    if maker is None:
        return
    await tell(
        store,
        now,
        [maker],
        POLL_TIED,
        facts={"hangout": hangout.title, "question": poll.title or "", "subject": poll.subject},
        link=f"/hangouts/{poll.hangout_id}#poll-{poll.poll_id}",
        id=f"{poll.poll_id} {poll.overdue_at}",
        by=None,
    )


async def who_decides(store: Store, hangout: Hangout, poll: HangoutPoll) -> User | None:
    """Returns the poll's maker, or the hangout's where they are gone or may no longer decide."""
    for user_id in dict.fromkeys([poll.created_by, hangout.created_by]):
        refs: list[Ref[Any]] = [
            User.at(user_id=user_id),
            *(GroupMembership.at(group_id=one, user_id=user_id) for one in hangout.group_ids),
        ]
        user, *read = await store.batch_get(refs)
        memberships = [one for one in read if isinstance(one, GroupMembership)]
        standing = standing_of(hangout, user_id, memberships, ())
        if isinstance(user, User) and standing is not None and standing.may_edit:
            return user
    return None


async def close_due_poll(store: Store, due: Timer, now: float) -> None:
    """Closes a poll at its deadline."""
    await close_at_deadline(store, now, due.about["hangout_id"], due.about["poll_id"])


POLLS = Consumer("hangouts-polls", (HangoutPoll,), follow_poll, tells=(POLL_TIED,))
HANDLERS: dict[str, Handler] = {DEADLINE: ActTimer(close_due_poll, (HangoutPoll,))}
