"""Ballots: one for each person and poll; the poll's tallies change in the same write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.hangouts.rules import polls as rules
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.guards import Guard, no_guard
from commonroom.hangouts.service.participation import take_part
from commonroom.hangouts.service.polls import no_such_poll, open_poll, poll_ref
from commonroom.hangouts.tables import Ballot, HangoutPoll, Vote
from commonroom.moments import iso
from commonroom.store import (
    Ref,
    Store,
    Write,
    add,
    as_read,
    below,
    count,
    delete,
    equal,
    new,
    put,
    update,
)


@retry
async def vote(
    ctx: Context,
    member: User,
    hangout_id: str,
    poll_id: str,
    votes: Mapping[str, Vote],
    *,
    whole: bool = True,
) -> HangoutPoll:
    """Votes, or changes one's votes: two reads and one write.

    Where they are not the `whole` ballot, what was said of other options stays.
    """
    also: list[Ref[Any]] = [
        poll_ref(hangout_id, poll_id),
        _ballot_ref(member, hangout_id, poll_id),
    ]
    taking = (await take_part(ctx, member, hangout_id, also=also)).still_on(ctx.now)
    poll: HangoutPoll | None = taking.also[0]
    before: Ballot | None = taking.also[1]
    if poll is None:
        raise no_such_poll()
    rules.check_takes_votes(poll, ctx.now)
    rules.check_votes(poll, votes)
    known = {one.option_id for one in poll.options}
    said = {} if whole or before is None else before.votes
    chosen = {one: said[one] for one in said if one in known} | dict(votes)
    after = Ballot(
        hangout_id=hangout_id,
        poll_id=poll_id,
        user_id=member.user_id,
        user_name=taking.member.display_name,
        votes=chosen,
        voted_at=iso(ctx.now),
    )
    if before is not None and before.votes == chosen:
        return poll
    await ctx.store.write(
        put(after, if_=new if before is None else as_read(before, "votes")),
        _counted(poll, before, after),
        *taking.holding(),
    )
    return _recounted(poll, before, after)


@retry
async def withdraw_vote(ctx: Context, member: User, hangout_id: str, poll_id: str) -> HangoutPoll:
    """Takes one's votes back: two reads and one write."""
    ref = _ballot_ref(member, hangout_id, poll_id)
    access = await open_poll(ctx, hangout_id, poll_id, also=[ref])
    rules.check_takes_votes(access.poll, ctx.now)
    (own,) = access.also
    if own is None:
        raise NotFound("You have not voted yet.")
    await ctx.store.write(delete(own, if_=as_read(own, "votes")), _counted(access.poll, own, None))
    return _recounted(access.poll, own, None)


@retry
async def remove_ballot(store: Store, ballot: Ballot, guard: Guard = no_guard) -> None:
    """Removes the votes of a person who may no longer have the hangout, also of a closed poll."""
    ref = HangoutPoll.at(hangout_id=ballot.hangout_id, poll_id=ballot.poll_id)
    poll, own = await store.batch_get([ref, ballot.ref])
    held = await guard(own) if isinstance(own, Ballot) else None
    if not isinstance(own, Ballot) or held is None:
        return
    counted = [_counted(poll, own, None)] if isinstance(poll, HangoutPoll) else []
    await store.write(delete(own, if_=as_read(own, "votes", "voted_at")), *counted, *held)


def _ballot_ref(member: User, hangout_id: str, poll_id: str) -> Ref[Ballot]:
    return Ballot.at(hangout_id=hangout_id, poll_id=poll_id, user_id=member.user_id)


def _counted(poll: HangoutPoll, before: Ballot | None, after: Ballot | None) -> Write:
    """Returns the poll with one ballot in place of another.

    Its version is held: it is still open, and has the options that are counted.
    """
    condition = equal(version=poll.version)
    changes, more = _difference(poll, before, after)
    if more > 0:
        if poll.ballot_count >= rules.MAX_BALLOTS:
            raise Conflict("This poll has reached its limit of votes.")
        condition = condition & below(ballot_count=rules.MAX_BALLOTS)
    return update(poll, tallies=count(changes), ballot_count=add(more), if_=condition)


def _recounted(poll: HangoutPoll, before: Ballot | None, after: Ballot | None) -> HangoutPoll:
    """Returns the poll as it is after that, as far as it was read."""
    changes, more = _difference(poll, before, after)
    tallies = Counter(poll.tallies)
    tallies.update(changes)
    return replace(poll, tallies=dict(tallies), ballot_count=poll.ballot_count + more)


def _difference(
    poll: HangoutPoll, before: Ballot | None, after: Ballot | None
) -> tuple[dict[str, int], int]:
    """What one ballot in place of another adds to the tallies, and how many ballots more."""
    old, new = ({} if one is None else one.votes for one in (before, after))
    more = (after is not None) - (before is not None)
    return rules.tally_changes(poll.options, old, new), more
