"""What must always be true of polls and bring lists, whatever people do at once."""

from __future__ import annotations

from collections import Counter, defaultdict

from commonroom.hangouts.rules.polls import tally_key
from commonroom.hangouts.tables import (
    Attachment,
    AttachmentPointer,
    Ballot,
    BringClaim,
    BringItem,
    Hangout,
    HangoutPoll,
)
from commonroom.store.engine import Engine
from tests.hangouts.friends import everything_of


async def check_polls(engine: Engine) -> None:
    """Tallies are what ballots say, and a hangout knows which of its polls are open."""
    ballots: dict[str, list[Ballot]] = defaultdict(list)
    for ballot in await everything_of(engine, Ballot):
        ballots[ballot.poll_id].append(ballot)
    polls: dict[str, list[HangoutPoll]] = defaultdict(list)
    for poll in await everything_of(engine, HangoutPoll):
        polls[poll.hangout_id].append(poll)
        _check_tallies(poll, ballots.pop(poll.poll_id, []))
    for hangout in await everything_of(engine, Hangout):
        _check_open_polls(hangout, polls[hangout.hangout_id])


def _check_tallies(poll: HangoutPoll, ballots: list[Ballot]) -> None:
    known = {one.option_id for one in poll.options}
    said = Counter(
        tally_key(option, vote)
        for one in ballots
        for option, vote in one.votes.items()
        if option in known
    )
    assert {key: number for key, number in poll.tallies.items() if number} == said
    assert poll.ballot_count == len(ballots)
    assert (poll.closed_at is None) == (poll.outcome is None)
    assert (poll.outcome == "DECIDED") == (poll.winner_option_id is not None)


def _check_open_polls(hangout: Hangout, polls: list[HangoutPoll]) -> None:
    assert hangout.poll_count == len(polls)
    for subject, named in (("TIME", hangout.time_poll_id), ("PLACE", hangout.place_poll_id)):
        is_open = [one.poll_id for one in polls if one.subject == subject and one.closed_at is None]
        assert is_open == ([named] if named else []), "one is open at a time, and the hangout knows"
    assert hangout.open_polls == {one.poll_id: one.subject for one in polls if not one.closed_at}


async def check_bring_lists(engine: Engine) -> None:
    """What is claimed is what people bring, and never more than is needed."""
    brought: Counter[str] = Counter()
    for claim in await everything_of(engine, BringClaim):
        assert claim.number > 0
        brought[claim.bring_item_id] += claim.number
    items: Counter[str] = Counter()
    for item in await everything_of(engine, BringItem):
        items[item.hangout_id] += 1
        assert item.claimed == brought[item.bring_item_id]
        assert 0 <= item.claimed <= item.needed
    for hangout in await everything_of(engine, Hangout):
        assert hangout.bring_count == items[hangout.hangout_id]


async def check_attachments(engine: Engine) -> None:
    """Every attachment is counted, and known where it is; nothing else is."""
    found = await everything_of(engine, Attachment)
    pointers = await everything_of(engine, AttachmentPointer)
    keys = [
        sorted((it.hangout_id, it.kind, it.thing_id) for it in some) for some in (found, pointers)
    ]
    assert keys[0] == keys[1], "what is attached knows where"
    number = Counter(one.hangout_id for one in found)
    for hangout in await everything_of(engine, Hangout):
        assert hangout.attachment_count == number.pop(hangout.hangout_id, 0)
    assert not number, "nothing is attached to what is not there"
