"""What happens after a change: who is told of a round, and what is cleared up after deletions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from commonroom.accounts.tables import User
from commonroom.moments import seconds
from commonroom.movienight import notifications
from commonroom.movienight.notifications import day_fact
from commonroom.movienight.rules.households import invite_ids, listed_members
from commonroom.movienight.rules.rounds import (
    NUDGE_SECONDS,
    OPEN,
    progress,
    status_of,
    untouched_from,
)
from commonroom.movienight.service.members import (
    clear_deleted_members,
    list_in_household,
    list_members,
)
from commonroom.movienight.service.rounds.attendance import drop_leaver
from commonroom.movienight.service.rounds.lifecycle import expire_untouched
from commonroom.movienight.service.rounds.queries import (
    get_attendees,
    get_pick,
    get_votes,
    present_attendees,
)
from commonroom.movienight.tables import (
    Household,
    HouseholdMembership,
    Invite,
    Pick,
    Round,
    invites_of_group,
    members_of_group,
    pending_picks_of_group,
    ratings_of_round,
    round_by_id,
    rounds_of_group,
    suggestions_of_round,
    votes_of_round,
    watch_history,
    watched_films_of_group,
    wishes_of_group,
)
from commonroom.movienight.tables.films import NOBODY
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import (
    refresh_page,
    remove_name,
    resolve,
    tell,
    withdraw,
)
from commonroom.store import ConditionFailed, Store, delete, equal, put, update
from commonroom.store.streams import Consumer
from commonroom.store.streams.consumer import Change
from commonroom.timers import Handler, Timer, timer

EXPIRY = "movienight.expire"
NUDGE = "movienight.nudge"
STALE_SECONDS = 24 * 3600
HOUSEHOLD_PAGE = "/movie-night/household"
DAY = "movienight.day"
SWEEP = "movienight.sweep"
SWEEP_SECONDS = 600.0
"""After how long an index surely shows what was written before."""


async def clear_seat(store: Store, change: Change) -> None:
    """Takes a person out of the household when their account or profile was deleted.

    However a member left, nobody waits for their votes and ratings any longer.
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


async def follow_member(store: Store, change: Change) -> None:
    """Tells a household who has joined it, and takes that back when they leave."""
    old: User | None = change.old
    new: User | None = change.new
    before, after = (None if one is None else one.household_id for one in (old, new))
    if old is not None and before is not None and before != after:
        about = f"{before}/{old.user_id}"
        for one in await list_members(store, before):
            user_id = one.membership.user_id
            await withdraw(store, user_id, notifications.HOUSEHOLD_JOINED, about)
    if new is not None and after is not None and before != after:
        await _tell_joined(store, change.at, new, after)


async def _tell_joined(store: Store, at: float, person: User, group_id: str) -> None:
    """Tells the others; children come by the action of who manages them."""
    refs = [
        Household.at(group_id=group_id),
        HouseholdMembership.at(group_id=group_id, user_id=person.user_id),
    ]
    group, joined = await store.batch_get(refs)
    if not isinstance(group, Household) or not isinstance(joined, HouseholdMembership):
        return  # they left again
    if at - seconds(joined.joined_at) > STALE_SECONDS:
        return  # carried here from elsewhere
    # This may run late: who came after them found them there.
    others = [
        one.user
        for one in await list_members(store, group_id)
        if one.user is not None and one.membership.joined_at < joined.joined_at
    ]
    await tell(
        store,
        at,
        others,
        notifications.HOUSEHOLD_JOINED,
        facts={"who": person.display_name, "household": group.name},
        link=HOUSEHOLD_PAGE,
        id=f"{group_id}/{person.user_id}",
        by=person.parent_user_id or person.user_id,
    )


async def _clear_account(store: Store, at: float, group_id: str, person: User) -> None:
    await clear_deleted_members(store, at, group_id)
    await _disown_wishes(store, group_id, person.user_id)
    staying = [one.user_id async for one in store.all(members_of_group(group_id=group_id))]
    await remove_name(store, staying, person.display_name)


async def _disown_wishes(store: Store, group_id: str, user_id: str) -> None:
    """What a former member wished for stays the household's, and no longer theirs."""
    async for wish in store.all(wishes_of_group(group_id=group_id)):
        if wish.added_by == user_id:
            with suppress(ConditionFailed):  # it went, or was wished for by another member
                await store.write(update(wish, added_by=NOBODY, if_=equal(added_by=user_id)))


async def follow_household(store: Store, change: Change) -> None:
    """Clears up after a household that was deleted, and lets one that stays name its members."""
    if change.kind == "remove":
        await clear_household(store, change)
    elif listed_members(change.new) is None:
        await list_in_household(store, change.new.group_id)


async def clear_household(store: Store, change: Change) -> None:
    """Deletes what belonged to a household that was deleted; its members went with it.

    Where this is interrupted, the next time finds what is left: a round goes after what is below.
    """
    if await store.get(change.old.ref) is not None:
        return
    group: Household = change.old
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


async def after_step(store: Store, change: Change) -> None:
    """Calls people to vote, tells them the pick, and resolves what a round no longer asks for.

    All of it can happen twice without being said twice.
    """
    round_: Round | None = change.new
    if change.old is not None:
        await _resolve_calls(store, change.at, change.old, round_)
    if round_ is None:
        return
    before = None if change.old is None else status_of(change.old)
    if before not in OPEN and status_of(round_) in OPEN:
        await store.write(put(timer(EXPIRY, untouched_from(round_), {"round_id": round_.round_id})))
    if change.old is not None and day_fact(change.old) != day_fact(round_):
        await _tell_day(store, round_)
        await store.write(put(timer(DAY, change.at + SWEEP_SECONDS, {"round_id": round_.round_id})))
    if change.at - seconds(round_.updated_at or round_.created_at) > STALE_SECONDS:
        return  # carried here from elsewhere: nobody wants to hear of it now
    match before, status_of(round_):
        case "draft", "voting":
            # By the round's own time, so that hearing of it twice sets the same timer.
            began = seconds(round_.voting_started_at or round_.created_at)
            about = {"round_id": round_.round_id}
            await store.write(put(timer(NUDGE, began + NUDGE_SECONDS, about)))
            await _notify_round(store, round_, change.at)
        case "voting", "voting":
            await _after_vote(store, change.old, round_, change.at)
        case "voting", "selected":
            await _notify_pick(store, round_, change.at)


async def _tell_day(store: Store, round_: Round) -> None:
    """Brings up to date on which day the film is, in what people have not read yet."""
    await refresh_page(store, _link(round_), notifications.KINDS, facts={"day": day_fact(round_)})


async def tell_day_again(store: Store, waited: Timer, _now: float) -> None:
    """Brings the day up to date in what an index did not show yet when the day changed."""
    round_ = await store.get(round_by_id(round_id=waited.about["round_id"]))
    if round_ is not None:
        await _tell_day(store, round_)


async def _after_vote(store: Store, old: Round, round_: Round, at: float) -> None:
    """Calls those who came late or are to vote once more, and tells that the last vote is in."""
    if round_.attendees != old.attendees:
        await _notify_round(store, round_, at)
    if round_.run_offs != old.run_offs:
        await _notify_run_off(store, round_, at)
    elif round_.attendees != old.attendees:
        await _notify_votes_in(store, round_, at, round_.moved_by)
    elif round_.voted_by not in (None, old.voted_by):
        await _notify_votes_in(store, round_, at, round_.voted_by)


async def _resolve_calls(store: Store, at: float, old: Round, new: Round | None) -> None:
    """Lets what people were told be read by itself, once it no longer needs them."""
    after = None if new is None else status_of(new)
    if status_of(old) == "voting" and after != "voting":
        await _resolve_votes(store, at, old, await get_attendees(store, old))
    elif new is not None and new.voted_by not in (None, old.voted_by):
        await _resolve_votes(store, at, new, [new.voted_by])
    if status_of(old) == "voting" and (new is None or _vote_of(new) != _vote_of(old)):
        pickers = [one.user_id for one in await _pickers(store, old)]
        await resolve(store, at, pickers, notifications.VOTES_IN, _vote_of(old))
    if old.pick_id is not None and status_of(old) == "selected" and after != "selected":
        members = await list_members(store, old.group_id)
        people = [one.user.user_id for one in members if one.user is not None]
        await resolve(store, at, people, notifications.PICK_ANNOUNCE, old.pick_id)


async def _resolve_votes(store: Store, at: float, round_: Round, people: Sequence[str]) -> None:
    for kind in (notifications.NEW_ROUND, notifications.VOTE_NUDGE):
        await resolve(store, at, people, kind, round_.round_id)
    if round_.run_offs:
        await resolve(store, at, people, notifications.RUN_OFF, _run_off_of(round_))


def _run_off_of(round_: Round) -> str:
    return f"{round_.round_id}#{round_.run_offs}"


def _vote_of(round_: Round) -> str:
    """Returns which vote of a round it is: another one with a run-off, or with other people."""
    return f"{_run_off_of(round_)}#{status_of(round_)}#{','.join(sorted(round_.attendees or ()))}"


async def nudge(store: Store, waited: Timer, now: float) -> None:
    """Reminds, once, those who have not voted an hour into the vote."""
    round_ = await store.get(round_by_id(round_id=waited.about["round_id"]))
    if round_ is None or status_of(round_) != "voting":
        return
    voted = {one.member_id for one in await get_votes(store, round_.round_id)}
    missing = [one for one in await get_attendees(store, round_) if one not in voted]
    await _tell(store, now, round_, await _people(store, missing), notifications.VOTE_NUDGE)


async def expire(store: Store, waited: Timer, now: float) -> float | None:
    """Ends a round that nobody has touched for a week, or looks again a week later."""
    return await expire_untouched(store, now, waited.about["round_id"])


async def _notify_round(store: Store, round_: Round, at: float) -> None:
    people = await _people(store, await get_attendees(store, round_))
    by = round_.moved_by or round_.started_by
    await _tell(store, at, round_, people, notifications.NEW_ROUND, by=by)


async def _notify_run_off(store: Store, round_: Round, at: float) -> None:
    people = await _people(store, await get_attendees(store, round_))
    by, about = round_.moved_by or round_.started_by, _run_off_of(round_)
    await _tell(store, at, round_, people, notifications.RUN_OFF, who=by, about=about, by=by)


async def _notify_votes_in(store: Store, round_: Round, at: float, by: str | None) -> None:
    """Tells those who may pick, once everybody has voted; not who did the last of it."""
    voters = {one.member_id for one in await get_votes(store, round_.round_id)}
    if not progress(voters, await present_attendees(store, round_)).is_complete:
        return
    known = {one.user_id for one in await _accounts(store, [] if by is None else [by])}
    people = [one for one in await _pickers(store, round_) if one.user_id not in known]
    await _tell(store, at, round_, people, notifications.VOTES_IN, about=_vote_of(round_))


async def _pickers(store: Store, round_: Round) -> list[User]:
    """Returns those who may pick: the person who started a round, and the household's creator."""
    group = await store.get(Household.at(group_id=round_.group_id))
    creators = [] if group is None else [group.created_by]
    return await _accounts(store, [round_.started_by, *creators])


async def _accounts(store: Store, members: list[str]) -> list[User]:
    """Returns who these members are; for a child, who manages it."""
    people = await _people(store, members)
    accounts = dict.fromkeys(one.parent_user_id or one.user_id for one in people)
    return await _people(store, list(accounts))


async def _notify_pick(store: Store, round_: Round, at: float) -> None:
    pick = await get_pick(store, round_)
    if pick is None:
        return  # taken back meanwhile; there is nothing to announce
    members = await list_members(store, round_.group_id)
    await _tell(
        store,
        at,
        round_,
        [one.user for one in members if one.user is not None],
        notifications.PICK_ANNOUNCE,
        who=pick.picked_by,
        about=pick.pick_id,
        by=round_.moved_by or pick.picked_by,
        film=pick.title,
    )


async def _tell(
    store: Store,
    at: float,
    round_: Round,
    people: Sequence[User],
    kind: Kind,
    *,
    who: str | None = None,
    about: str | None = None,
    by: str | None = None,
    **facts: str,
) -> None:
    """Tells people of a round, once about it or about `about`; `who` is named, or its starter."""
    group = await store.get(Household.at(group_id=round_.group_id))
    user = await store.get(User.at(user_id=who or round_.started_by))
    facts |= {
        "household": "" if group is None else group.name,
        "who": "" if user is None else user.display_name,
        "day": day_fact(round_),
    }
    link, id_ = _link(round_), about or round_.round_id
    await tell(store, at, people, kind, facts=facts, link=link, id=id_, by=by)


async def _people(store: Store, ids: list[str]) -> list[User]:
    found = await store.batch_get([User.at(user_id=one) for one in ids])
    return [one for one in found if one is not None]


def _link(round_: Round) -> str:
    return f"/movie-night/rounds/{round_.round_id}"


MEMBERS = Consumer(
    "movienight-members", (User,), follow_member, tells=(notifications.HOUSEHOLD_JOINED,)
)
SEATS = Consumer(name="movienight-seats", wants=(User,), handle=clear_seat)
HOUSEHOLDS = Consumer("movienight-households", (Household,), follow_household, sets=(SWEEP,))
ROUNDS = Consumer(
    "movienight-rounds",
    (Round,),
    after_step,
    sets=(EXPIRY, NUDGE, DAY),
    tells=(
        notifications.NEW_ROUND,
        notifications.VOTE_NUDGE,
        notifications.RUN_OFF,
        notifications.VOTES_IN,
        notifications.PICK_ANNOUNCE,
    ),
)
HANDLERS: dict[str, Handler] = {
    EXPIRY: expire,
    NUDGE: nudge,
    DAY: tell_day_again,
    SWEEP: sweep,
}
