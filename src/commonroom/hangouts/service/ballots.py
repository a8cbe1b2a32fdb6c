"""Ballots: one for each person and poll; the poll's tallies change in the same write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.hangouts.rules import polls as rules
from commonroom.hangouts.service.access import open_thing, retry
from commonroom.hangouts.service.guards import Guard, no_guard
from commonroom.hangouts.service.participation import take_part_in
from commonroom.hangouts.tables import Ballot, HangoutPoll, Vote
from commonroom.moments import iso
from commonroom.store import (
    Ref,
    Store,
    Write,
    as_read,
    count,
    delete,
    equal,
    exchange,
    remove,
    update,
)


@retry
async def vote(
    ctx: Context,
    member: User,
    ref: Ref[HangoutPoll],
    votes: Mapping[str, Vote],
    *,
    whole: bool = True,
) -> HangoutPoll:
    """Votes, or changes one's votes: two reads and one write.

    Where they are not the `whole` ballot, what was said of other options stays.
    """
    taking, poll = await take_part_in(ctx, member, ref, also=[_ballot_ref(member, ref)])
    taking.still_on(ctx.now)
    before: Ballot | None = taking.also[0]
    rules.check_takes_votes(poll, ctx.now)
    rules.check_votes(poll, votes)
    known = {one.option_id for one in poll.options}
    said = {} if whole or before is None else before.votes
    chosen = {one: said[one] for one in said if one in known} | dict(votes)
    after = Ballot(**taking.signature, poll_id=poll.poll_id, votes=chosen, voted_at=iso(ctx.now))
    if before is not None and before.votes == chosen:
        return poll
    same = None if before is None else as_read(before, "votes")
    await ctx.store.write(
        *exchange(before, after, on=[poll], if_=same),
        _tallied(poll, before, after),
        *taking.holding(),
    )
    return _recounted(poll, before, after)


@retry
async def withdraw_vote(ctx: Context, member: User, ref: Ref[HangoutPoll]) -> HangoutPoll:
    """Takes one's votes back: two reads and one write."""
    access, poll = await open_thing(ctx, ref, also=[_ballot_ref(member, ref)])
    rules.check_takes_votes(poll, ctx.now)
    own: Ballot | None = access.also[0]
    if own is None:
        raise NotFound("You have not voted yet.")
    await ctx.store.write(*remove(own, if_=as_read(own, "votes")), _tallied(poll, own, None))
    return _recounted(poll, own, None)


@retry
async def remove_ballot(store: Store, ballot: Ballot, guard: Guard = no_guard) -> None:
    """Removes the votes of a person who may no longer have the hangout, also of a closed poll."""
    ref = HangoutPoll.at(hangout_id=ballot.hangout_id, poll_id=ballot.poll_id)
    poll, own = await store.batch_get([ref, ballot.ref])
    held = await guard(own) if isinstance(own, Ballot) else None
    if not isinstance(own, Ballot) or held is None:
        return
    same = as_read(own, "votes", "voted_at")
    if isinstance(poll, HangoutPoll):
        await store.write(*remove(own, if_=same), _tallied(poll, own, None), *held)
    else:
        await store.write(delete(own, if_=same), *held)


def _ballot_ref(member: User, poll: Ref[HangoutPoll]) -> Ref[Ballot]:
    return Ballot.at(**poll.fields, user_id=member.user_id)


def _tallied(poll: HangoutPoll, before: Ballot | None, after: Ballot | None) -> Write:
    """Returns the poll's tallies with one ballot in place of another.

    Its version is held: it is still open, and has the options that are counted.
    """
    changes, _ = _difference(poll, before, after)
    return update(poll, tallies=count(changes), if_=equal(version=poll.version))


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
