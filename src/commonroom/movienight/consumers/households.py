"""Clearing up after accounts, managed members and households that were deleted."""

from __future__ import annotations

from contextlib import suppress

from commonroom.accounts.tables import User
from commonroom.movienight.service.invites import invite_ids
from commonroom.movienight.service.members import clear_deleted_members
from commonroom.movienight.service.rounds.attendance import drop_leaver
from commonroom.movienight.tables import (
    Group,
    Invite,
    Pick,
    Round,
    invites_of_group,
    members_of_group,
    pending_picks_of_group,
    ratings_of_round,
    rounds_of_group,
    suggestions_of_round,
    votes_of_round,
    watch_history,
    watched_films_of_group,
    wishes_of_group,
)
from commonroom.movienight.tables.films import NOBODY
from commonroom.notify.notifications import remove_name
from commonroom.store import ConditionFailed, Store, delete, equal, put, update
from commonroom.store.streams import Consumer
from commonroom.store.streams.consumer import Change
from commonroom.timers import Handler, Timer, timer

SWEEP = "movienight.sweep"
SWEEP_SECONDS = 600.0
"""After how long an index surely shows what was written before."""


async def clear_seat(store: Store, change: Change) -> None:
    """Takes somebody out of the household when their account or profile was deleted.

    However somebody left, nobody waits for their votes and ratings any longer.
    """
    person: User | None = change.old
    group_id = None if person is None else person.household_id
    if person is None or group_id is None:
        return
    if change.new is not None and change.new.household_id == group_id:
        return
    if change.kind == "remove":
        await _clear_account(store, change.at, group_id, person)
    await drop_leaver(store, change.at, group_id, person.user_id)


async def _clear_account(store: Store, at: float, group_id: str, person: User) -> None:
    await clear_deleted_members(store, at, group_id)
    await _disown_wishes(store, group_id, person.user_id)
    staying = [one.user_id async for one in store.all(members_of_group(group_id=group_id))]
    await remove_name(store, staying, person.display_name)


async def _disown_wishes(store: Store, group_id: str, user_id: str) -> None:
    """What somebody wished for stays the household's, and no longer theirs."""
    async for wish in store.all(wishes_of_group(group_id=group_id)):
        if wish.added_by == user_id:
            with suppress(ConditionFailed):  # it went, or came anew by somebody else
                await store.write(update(wish, added_by=NOBODY, if_=equal(added_by=user_id)))


async def clear_household(store: Store, change: Change) -> None:
    """Deletes what belonged to a household that was deleted; its members went with it.

    Where this is interrupted, the next time finds what is left: a round goes after what is below.
    """
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    group: Group = change.old
    if group.open_round_id is not None:
        # The newest may be missing from the index of rounds.
        newest = await store.get(Round.at(round_id=group.open_round_id))
        if newest is not None:
            await _clear_round(store, newest)
    await _clear_below(store, group.group_id)
    once_more = timer(SWEEP, change.at + SWEEP_SECONDS, {"group_id": group.group_id})
    invites = [Invite.at(invite_id=one) for one in invite_ids(group.group_id)]
    await store.write(*(delete(one) for one in invites), put(once_more))


async def sweep(store: Store, waited: Timer, _now: float) -> None:
    """Looks once more for what an index did not show yet when the household was deleted."""
    await _clear_below(store, waited.about["group_id"])


async def _clear_below(store: Store, group_id: str) -> None:
    async for round_ in store.all(rounds_of_group(group_id=group_id)):
        await _clear_round(store, round_)
    for pattern in (
        watch_history,
        pending_picks_of_group,
        wishes_of_group,
        watched_films_of_group,
        invites_of_group,
    ):
        await store.delete_all(pattern(group_id=group_id))


async def _clear_round(store: Store, round_: Round) -> None:
    for pattern in (suggestions_of_round, votes_of_round, ratings_of_round):
        await store.delete_all(pattern(round_id=round_.round_id))
    pick = [] if round_.pick_id is None else [delete(Pick.at(pick_id=round_.pick_id))]
    await store.write(*pick, delete(round_))


SEATS = Consumer(name="movienight-seats", wants=(User,), handle=clear_seat)
HOUSEHOLDS = Consumer(name="movienight-households", wants=(Group,), handle=clear_household)
HANDLERS: dict[str, Handler] = {SWEEP: sweep}
