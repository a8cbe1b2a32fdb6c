"""Polls as pages show them: bars for a phone, a table of people and options for a desk."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from commonroom.hangouts import addresses, words
from commonroom.hangouts.pages.people import person_name
from commonroom.hangouts.pages.when import when_of
from commonroom.hangouts.rules.access import Standing
from commonroom.hangouts.rules.polls import Tally, is_open, leaders, leading_ids, tally_of
from commonroom.hangouts.rules.times import takes_answers
from commonroom.hangouts.service.detail import HangoutDetail, HangoutThings
from commonroom.hangouts.tables import Ballot, Hangout, HangoutPoll, HangoutPollOption, Vote
from commonroom.http.request import Request
from commonroom.http.words import _, join_names, pluralize

SHOWN = 40
"""People in the table of a desk; the tallies count all."""
NAMED = 8
"""People who are named under an option."""


class PollOptionCard(Struct, frozen=True, kw_only=True):
    """An option, how it stands, and what the reader says to it."""

    option_id: str
    name: str
    more: str
    """Where a place is; empty for others."""
    yes_percent: int
    maybe_percent: int
    standing: str
    """The tally in words."""
    people: str
    """Who can and could, in words."""
    mine: Vote | None
    is_winner: bool
    may_remove: bool
    is_leading: bool = False


class VoterRow(Struct, frozen=True):
    """A row of the table: what a person says to each option."""

    name: str
    votes: list[Vote | None]


class PollCard(Struct, frozen=True, kw_only=True):
    """A poll as one of those sees it who may have the hangout."""

    poll_id: str
    address: str
    subject: str
    title: str
    options: list[PollOptionCard]
    rows: list[VoterRow]
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
    front: list[PollOptionCard]
    """What may be taken if it closes now."""
    others_add_options: bool
    may_add: bool
    may_close: bool
    may_settle: bool


class PollReader(Struct, frozen=True, kw_only=True):
    """The reader of polls, and what they may do with them."""

    now: float
    zone: str | None = None
    user_id: str | None = None
    """Who votes: the person, or the managed member whom they act for; None for guests."""
    account_id: str | None = None
    """The person who asks, decides and adds; None for guests and while acting."""
    standing: Standing = Standing()
    is_guest: bool = False

    def may_settle(self, poll: HangoutPoll) -> bool:
        """Returns whether they may change and delete a poll."""
        if self.account_id is None:
            return False
        return self.standing.may_manage or self._made(poll)

    def is_asked(self, poll: HangoutPoll) -> bool:
        """Returns whether they are to decide what the deadline did not."""
        return poll.overdue_at is not None and self._made(poll)

    def _made(self, poll: HangoutPoll) -> bool:
        return poll.created_by == self.account_id and self.standing.may_edit


def polls_of(request: Request, seen: HangoutDetail) -> list[PollCard]:
    """Returns all polls of a hangout, those that are open first."""
    is_acting = request.caller.acting_as is not None
    reader = PollReader(
        now=request.now,
        zone=request.person.time_zone,
        user_id=seen.member.user_id,
        account_id=None if is_acting else request.person.user_id,
        standing=seen.access.standing,
    )
    return _polls(seen.things, reader)


def polls_for_guests(things: HangoutThings, now: float) -> list[PollCard]:
    """What is being voted on, as guests see it: how options stand, and not who said what."""
    return [one for one in _polls(things, PollReader(now=now, is_guest=True)) if one.is_open]


def _polls(things: HangoutThings, reader: PollReader) -> list[PollCard]:
    polls = things.each_with(HangoutPoll, Ballot)
    views = [_poll(things.hangout, poll, ballots, reader) for poll, ballots in polls]
    return sorted(views, key=lambda one: not one.is_open)


def _poll(
    hangout: Hangout, poll: HangoutPoll, ballots: Sequence[Ballot], reader: PollReader
) -> PollCard:
    takes_votes = is_open(poll, reader.now) and takes_answers(hangout, reader.now)
    may_settle, standing = reader.may_settle(poll), reader.standing
    others = [one for one in ballots if one.user_id != reader.user_id]
    leading = leading_ids(poll, reader.now) if poll.closed_at is None else ()
    options = [
        replace(_option(poll, one, ballots, reader), is_leading=one.option_id in leading)
        for one in poll.options
    ]
    in_front = {one.option_id for one in leaders(poll, reader.now)}
    address = addresses.hangout(poll.hangout_id)
    may_add = reader.account_id is not None and standing.may_add
    return PollCard(
        poll_id=poll.poll_id,
        address=f"{address}/polls/{poll.poll_id}",
        subject=poll.subject,
        title=poll.title or _(words.POLL_TITLES[poll.subject]),
        options=options,
        rows=[] if reader.is_guest else [_row(poll, one) for one in others[:SHOWN]],
        hidden_rows=max(0, len(others) - SHOWN),
        has_voted=len(others) < len(ballots),
        voters=_voters(poll.ballot_count),
        is_open=takes_votes,
        deadline=poll.deadline if takes_votes else None,
        is_overdue=poll.overdue_at is not None,
        asks_me=reader.is_asked(poll),
        outcome=_outcome(poll, options),
        front=[one for one in options if one.option_id in in_front],
        others_add_options=poll.others_add_options,
        may_add=may_add and (poll.others_add_options or may_settle),
        may_close=reader.account_id is not None and standing.may_edit,
        may_settle=may_settle,
    )


def _option(
    poll: HangoutPoll, one: HangoutPollOption, ballots: Sequence[Ballot], reader: PollReader
) -> PollOptionCard:
    tally, most = tally_of(poll, one.option_id), max(1, poll.ballot_count)
    said = {ballot.user_id: ballot.votes.get(one.option_id) for ballot in ballots}
    names = {ballot.user_id: person_name(ballot.user_name) for ballot in ballots}
    is_theirs = reader.account_id is not None and one.created_by == reader.account_id
    return PollOptionCard(
        option_id=one.option_id,
        name=option_name(one, reader.now, reader.zone),
        more=(one.place.address or "") if one.place and not reader.is_guest else "",
        yes_percent=round(100 * tally.yes / most),
        maybe_percent=round(100 * tally.maybe / most),
        standing=_standing(tally),
        people="" if reader.is_guest else _people(said, names),
        mine=said.get(reader.user_id or ""),
        is_winner=one.option_id == poll.winner_option_id,
        may_remove=(reader.may_settle(poll) or is_theirs) and len(poll.options) > 1,
    )


def option_name(one: HangoutPollOption, now: float, zone: str | None) -> str:
    """Returns an option in words: when it is, or what it is called."""
    when = when_of(one, now, zone)
    if when is not None:
        return when.line
    return one.label or (one.place.name if one.place else "")


def _row(poll: HangoutPoll, ballot: Ballot) -> VoterRow:
    return VoterRow(
        person_name(ballot.user_name), [ballot.votes.get(one.option_id) for one in poll.options]
    )


def _standing(tally: Tally) -> str:
    said = [
        pluralize("%(n)d yes", "%(n)d yes", tally.yes) if tally.yes else "",
        pluralize("%(n)d maybe", "%(n)d maybe", tally.maybe) if tally.maybe else "",
        pluralize("%(n)d no", "%(n)d no", tally.no) if tally.no else "",
    ]
    return " · ".join(filter(None, said))


def _people(said: Mapping[str, Vote | None], names: Mapping[str, str]) -> str:
    """Returns those who can, and those who could, as far as they are not too many."""
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
        shown.append(pluralize("%(n)d more", "%(n)d more", more))
    return join_names(shown)


def _voters(number: int) -> str:
    if not number:
        return _("No votes yet.")
    return pluralize("%(n)d person has voted.", "%(n)d people have voted.", number)


def _outcome(poll: HangoutPoll, options: Sequence[PollOptionCard]) -> str:
    if poll.closed_at is None:
        return ""
    if poll.outcome == "OVERRULED":
        return _("Closed: it was set by hand.")
    winner = next((one.name for one in options if one.is_winner), None)
    return _("Closed without a decision.") if winner is None else winner
