"""Polls as pages show them: bars for a phone, a table of people and options for a desk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from commonroom.hangouts import words
from commonroom.hangouts.pages.when import when_of
from commonroom.hangouts.rules.polls import is_open, leaders, leading_ids, tally_of
from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.tables import Ballot, Poll, PollOption, Vote
from commonroom.web.request import Request
from commonroom.web.words import _, counted, listed

SHOWN = 40
"""People in the table of a desk; the tallies count all."""
NAMED = 8
"""People who are named under an option."""


class OptionView(Struct, frozen=True, kw_only=True):
    """An option, how it stands, and what the reader says to it."""

    option_id: str
    name: str
    more: str
    """Where a place is; empty for others."""
    yes: int
    maybe: int
    no: int
    yes_percent: int
    maybe_percent: int
    standing: str
    """The tally in words."""
    people: str
    """Who can and could, in words."""
    mine: Vote | None
    is_leading: bool
    is_winner: bool
    may_remove: bool


class PersonRow(Struct, frozen=True):
    """A row of the table: what somebody says to each option."""

    name: str
    votes: list[Vote | None]


class PollView(Struct, frozen=True, kw_only=True):
    """A poll as one of those sees it who may have the hangout."""

    poll_id: str
    address: str
    subject: str
    title: str
    options: list[OptionView]
    rows: list[PersonRow]
    """What others say; the reader's own row is in the options."""
    hidden_rows: int
    has_voted: bool
    voters: str
    is_open: bool
    deadline: str | None
    is_overdue: bool
    asks_me: bool
    """Whether the reader is to decide what the deadline did not."""
    outcome: str
    """What became of it, in words; empty while it is open."""
    front: list[OptionView]
    """What may be taken if it closes now."""
    others_add_options: bool
    may_add: bool
    may_close: bool
    may_settle: bool


def polls_of(request: Request, seen: HangoutDetail, address: str) -> list[PollView]:
    """All polls of a hangout, those that are open first."""
    ballots: dict[str, list[Ballot]] = defaultdict(list)
    for ballot in seen.things.of(Ballot):
        ballots[ballot.poll_id].append(ballot)
    views = [
        _poll(request, seen, one, ballots[one.poll_id], address) for one in seen.things.of(Poll)
    ]
    return sorted(views, key=lambda one: not one.is_open)


def _poll(
    request: Request, seen: HangoutDetail, poll: Poll, ballots: Sequence[Ballot], address: str
) -> PollView:
    now, standing = request.now, seen.access.standing
    is_acting = request.caller.acting_as is not None
    takes_votes = is_open(poll, now) and _takes_changes(seen, now)
    is_maker = poll.created_by == request.person.user_id and standing.may_edit
    may_settle = (is_maker or standing.may_manage) and not is_acting
    mine = next((one for one in ballots if one.user_id == seen.member.user_id), None)
    others = [one for one in ballots if one is not mine]
    options = [
        _option(request, seen, poll, one, ballots, may_settle=may_settle) for one in poll.options
    ]
    in_front = {one.option_id for one in leaders(poll, now)}
    return PollView(
        poll_id=poll.poll_id,
        address=f"{address}/polls/{poll.poll_id}",
        subject=poll.subject,
        title=poll.title or _(words.POLL_TITLES[poll.subject]),
        options=options,
        rows=[_row(poll, one) for one in others[:SHOWN]],
        hidden_rows=max(0, len(others) - SHOWN),
        has_voted=mine is not None,
        voters=_voters(poll.ballot_count),
        is_open=takes_votes,
        deadline=poll.deadline if takes_votes else None,
        is_overdue=poll.overdue_at is not None,
        asks_me=poll.overdue_at is not None and is_maker,
        outcome=_outcome(poll, options),
        front=[one for one in options if one.option_id in in_front],
        others_add_options=poll.others_add_options,
        may_add=(poll.others_add_options or may_settle) and standing.may_add and not is_acting,
        may_close=standing.may_edit and not is_acting,
        may_settle=may_settle,
    )


def _takes_changes(seen: HangoutDetail, now: float) -> bool:
    hangout = seen.hangout
    is_over = hangout.end_timestamp is not None and hangout.end_timestamp <= now
    return hangout.cancelled_at is None and not is_over


def _option(
    request: Request,
    seen: HangoutDetail,
    poll: Poll,
    one: PollOption,
    ballots: Sequence[Ballot],
    *,
    may_settle: bool,
) -> OptionView:
    tally, most = tally_of(poll, one.option_id), max(1, poll.ballot_count)
    me = seen.member.user_id
    said = {ballot.user_id: ballot.votes.get(one.option_id) for ballot in ballots}
    is_theirs = one.created_by == request.person.user_id and request.caller.acting_as is None
    return OptionView(
        option_id=one.option_id,
        name=option_name(one, request.now, request.person.time_zone),
        more=(one.place.address or "") if one.place else "",
        yes=tally.yes,
        maybe=tally.maybe,
        no=tally.no,
        yes_percent=round(100 * tally.yes / most),
        maybe_percent=round(100 * tally.maybe / most),
        standing=_standing(tally.yes, tally.maybe, tally.no),
        people=_people(said, {ballot.user_id: _name(ballot) for ballot in ballots}),
        mine=said.get(me),
        is_leading=one.option_id in leading_ids(poll, request.now),
        is_winner=one.option_id == poll.winner_option_id,
        may_remove=(may_settle or is_theirs) and len(poll.options) > 1,
    )


def option_name(one: PollOption, now: float, zone: str | None) -> str:
    """An option in words: when it is, or what it is called."""
    when = when_of(one, now, zone)
    if when is not None:
        return when.line
    return one.label or (one.place.name if one.place else "")


def _row(poll: Poll, ballot: Ballot) -> PersonRow:
    return PersonRow(_name(ballot), [ballot.votes.get(one.option_id) for one in poll.options])


def _name(ballot: Ballot) -> str:
    return ballot.user_name or _("Former member")


def _standing(yes: int, maybe: int, no: int) -> str:
    said = [
        counted("%(n)d yes", "%(n)d yes", yes) if yes else "",
        counted("%(n)d maybe", "%(n)d maybe", maybe) if maybe else "",
        counted("%(n)d no", "%(n)d no", no) if no else "",
    ]
    return " · ".join(filter(None, said))


def _people(said: Mapping[str, Vote | None], names: Mapping[str, str]) -> str:
    """Those who can, and those who could, as far as they are not too many."""
    parts = []
    for vote, text in (("YES", "%(names)s"), ("MAYBE", _("maybe %(names)s"))):
        found = [names[one] for one, given in said.items() if given == vote]
        if found:
            parts.append(text % {"names": _names(found)})
    return "; ".join(parts)


def _names(found: Collection[str]) -> str:
    shown = list(found)[:NAMED]
    more = len(found) - len(shown)
    if more:
        shown.append(counted("%(n)d more", "%(n)d more", more))
    return listed(shown)


def _voters(number: int) -> str:
    if not number:
        return _("No votes yet.")
    return counted("%(n)d person has voted.", "%(n)d people have voted.", number)


def _outcome(poll: Poll, options: Sequence[OptionView]) -> str:
    if poll.closed_at is None:
        return ""
    if poll.outcome == "OVERRULED":
        return _("Closed: it was set by hand.")
    winner = next((one.name for one in options if one.is_winner), None)
    return _("Closed without a decision.") if winner is None else winner
