"""What happens after a step of a round: people are told, and what is due later gets its timer."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.tables import User
from commonroom.moments import seconds
from commonroom.movienight import notifications
from commonroom.movienight.rules.rounds import NUDGE_SECONDS, OPEN, status_of, untouched_from
from commonroom.movienight.service.members import list_members
from commonroom.movienight.service.rounds.lifecycle import expire_untouched
from commonroom.movienight.service.rounds.queries import get_attendees, get_pick
from commonroom.movienight.tables import Group, Round, round_by_id, votes_of_round
from commonroom.notify.notifications import tell
from commonroom.store import Store, put
from commonroom.store.store import LONGEST_PAGE
from commonroom.store.streams import Consumer
from commonroom.store.streams.consumer import Change
from commonroom.timers import Handler, Timer, timer

EXPIRY = "movienight.expire"
NUDGE = "movienight.nudge"
STALE_SECONDS = 24 * 3600


async def after_step(store: Store, change: Change) -> None:
    """Tells those who should know of it; all of it can happen twice without being said twice."""
    round_: Round | None = change.new
    if round_ is None:
        return
    before = None if change.old is None else status_of(change.old)
    if before not in OPEN and status_of(round_) in OPEN:
        await store.write(put(timer(EXPIRY, untouched_from(round_), {"round_id": round_.round_id})))
    if change.at - seconds(round_.updated_at or round_.created_at) > STALE_SECONDS:
        return  # carried here from elsewhere: nobody wants to hear of it now
    match before, status_of(round_):
        case "draft", "voting":
            await _schedule_nudge(store, round_)
            await _notify_round(store, round_, change.at)
        case "voting", "voting" if round_.attendees != change.old.attendees:
            await _notify_round(store, round_, change.at)  # those who came late
        case "voting", "selected":
            await _notify_pick(store, round_, change.at)


async def nudge(store: Store, waited: Timer, now: float) -> None:
    """Reminds, once, those who have not voted an hour into the vote."""
    round_ = await store.get(round_by_id(round_id=waited.about["round_id"]))
    if round_ is None or status_of(round_) != "voting":
        return
    page = await store.page(votes_of_round(round_id=round_.round_id), limit=LONGEST_PAGE)
    voted = {vote.member_id for vote in page.items}
    missing = [one for one in await get_attendees(store, round_) if one not in voted]
    await tell(
        store,
        now,
        await _people(store, missing),
        notifications.VOTE_NUDGE,
        facts=await _facts(store, round_, round_.started_by),
        link=_link(round_),
        id=round_.round_id,
    )


async def expire(store: Store, waited: Timer, now: float) -> float | None:
    """Ends a round that nobody has touched for a week, or looks again a week after somebody did."""
    return await expire_untouched(store, now, waited.about["round_id"])


async def _schedule_nudge(store: Store, round_: Round) -> None:
    # By the round's own time, so that hearing of it twice sets the same timer.
    began = seconds(round_.voting_started_at or round_.created_at)
    await store.write(put(timer(NUDGE, began + NUDGE_SECONDS, {"round_id": round_.round_id})))


async def _notify_round(store: Store, round_: Round, at: float) -> None:
    people = await _people(store, await get_attendees(store, round_))
    await tell(
        store,
        at,
        _others(round_, people, round_.started_by),
        notifications.NEW_ROUND,
        facts=await _facts(store, round_, round_.started_by),
        link=_link(round_),
        id=round_.round_id,
    )


async def _notify_pick(store: Store, round_: Round, at: float) -> None:
    pick = await get_pick(store, round_)
    if pick is None:
        return  # taken back meanwhile; there is nothing to announce
    members = await list_members(store, round_.group_id)
    facts = await _facts(store, round_, pick.picked_by)
    await tell(
        store,
        at,
        _others(round_, [one.user for one in members if one.user is not None], pick.picked_by),
        notifications.PICK_ANNOUNCE,
        facts={**facts, "film": pick.title},
        link=_link(round_),
        id=pick.pick_id,
    )


def _others(round_: Round, people: Sequence[User], otherwise: str) -> list[User]:
    """All but the account that did it, which rounds of earlier versions do not name."""
    return [one for one in people if one.user_id != (round_.moved_by or otherwise)]


async def _people(store: Store, ids: list[str]) -> list[User]:
    found = await store.batch_get([User.at(user_id=one) for one in ids])
    return [one for one in found if one is not None]


async def _facts(store: Store, round_: Round, who: str) -> dict[str, str]:
    group = await store.get(Group.at(group_id=round_.group_id))
    user = await store.get(User.at(user_id=who))
    return {
        "household": "" if group is None else group.name,
        "who": "" if user is None else user.display_name,
    }


def _link(round_: Round) -> str:
    return f"/movie-night/rounds/{round_.round_id}"


ROUNDS = Consumer(name="movienight-rounds", wants=(Round,), handle=after_step)
HANDLERS: dict[str, Handler] = {EXPIRY: expire, NUDGE: nudge}
