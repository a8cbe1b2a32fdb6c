"""Polls: what they may ask, how votes are counted, and which option wins."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from commonroom.errors import Conflict, InvalidField
from commonroom.hangouts.rules.hangouts import place
from commonroom.hangouts.rules.times import new_time_span
from commonroom.hangouts.tables import (
    EnteredTime,
    HangoutPoll,
    HangoutPollOption,
    PollSubject,
    Venue,
    Vote,
)
from commonroom.moments import in_utc, seconds
from commonroom.texts import collation_key, fit_line, fit_optional_line

MAX_TITLE = 200
MAX_LABEL = 200
MAX_POLLS = 10
"""Of one hangout."""
MAX_OPTIONS = 20
MAX_BALLOTS = 500
"""Of one poll: as many as a group may have members."""
FURTHEST_DEADLINE = 366 * 24 * 3600
VOTES: tuple[Vote, ...] = ("YES", "MAYBE", "NO")


class TypedHangoutPollOption(Struct, frozen=True, kw_only=True):
    """An option as entered: what the poll is about, and nothing else."""

    label: str | None = None
    time: EnteredTime | None = None
    place: Venue | None = None


class Tally(Struct, frozen=True):
    """How many say what to an option."""

    yes: int = 0
    maybe: int = 0
    no: int = 0

    @property
    def rank(self) -> tuple[int, int, int]:
        """What decides: most can, then most could, then the fewest cannot."""
        return self.yes, self.maybe, -self.no


def poll_title(subject: PollSubject, text: str | None) -> str | None:
    """Returns what a poll asks; only one about neither time nor place must say so."""
    if subject == "OTHER":
        return fit_line("title", text or "", MAX_TITLE, "Ask something.")
    return fit_optional_line("title", text, MAX_TITLE)


def poll_deadline(text: str | None, now: float) -> str | None:
    """Returns when a poll closes by itself."""
    if text is None:
        return None
    try:
        moment = in_utc(text)
    except ValueError:
        raise InvalidField("deadline", "Enter a valid date and time.") from None
    if not now < seconds(moment) <= now + FURTHEST_DEADLINE:
        raise InvalidField("deadline", "Choose a deadline in the coming year.")
    return moment


def new_option(
    subject: PollSubject, typed: TypedHangoutPollOption, made_by: str, zone: str | None, now: float
) -> HangoutPollOption:
    """Returns an option as it is stored."""
    option_id = secrets.token_hex(4)
    if subject == "TIME":
        if typed.time is None or typed.place is not None or typed.label is not None:
            raise InvalidField("time", "Choose a day.")
        span = new_time_span(typed.time, zone, now)
        return HangoutPollOption(
            option_id=option_id,
            created_by=made_by,
            time=span.entered,
            start_timestamp=span.start,
            end_timestamp=span.end,
        )
    if subject == "PLACE":
        if typed.place is None or typed.time is not None or typed.label is not None:
            raise InvalidField("place", "Name a place.")
        return HangoutPollOption(option_id=option_id, created_by=made_by, place=place(typed.place))
    if typed.time is not None or typed.place is not None:
        raise InvalidField("label", "Describe the option in a few words.")
    label = fit_line("label", typed.label or "", MAX_LABEL, "Describe the option in a few words.")
    return HangoutPollOption(option_id=option_id, created_by=made_by, label=label)


def with_option(
    options: Sequence[HangoutPollOption], added: HangoutPollOption
) -> list[HangoutPollOption]:
    """Returns the options with one more; times are kept in their order."""
    if len(options) >= MAX_OPTIONS:
        raise Conflict(f"A poll has at most {MAX_OPTIONS} options.")
    if any(_same(one, added) for one in options):
        raise Conflict("This is already one of the options.")
    # The others have no start and stay in the order in which they came.
    return sorted([*options, added], key=lambda one: one.start_timestamp or 0)


def _same(one: HangoutPollOption, other: HangoutPollOption) -> bool:
    if one.start_timestamp is not None:
        spans = [(it.start_timestamp, it.end_timestamp) for it in (one, other)]
        return spans[0] == spans[1]
    return collation_key(_name(one)) == collation_key(_name(other))


def _name(one: HangoutPollOption) -> str:
    return one.label or (one.place.name if one.place else "")


def tally_key(option_id: str, vote: Vote) -> str:
    """Under which entry of `tallies` a vote is counted."""
    return f"{option_id}.{vote}"


def tally_of(poll: HangoutPoll, option_id: str) -> Tally:
    """Returns how an option stands."""
    return Tally(*(poll.tallies.get(tally_key(option_id, vote), 0) for vote in VOTES))


def tally_changes(
    options: Iterable[HangoutPollOption], before: Mapping[str, Vote], after: Mapping[str, Vote]
) -> dict[str, int]:
    """Returns what one ballot in place of another adds to the tallies."""
    changes: dict[str, int] = {}
    for option_id in (one.option_id for one in options):
        old, new = before.get(option_id), after.get(option_id)
        if old == new:
            continue
        if old is not None:
            changes[tally_key(option_id, old)] = -1
        if new is not None:
            changes[tally_key(option_id, new)] = 1
    return changes


def check_votes(poll: HangoutPoll, votes: Mapping[str, Vote]) -> None:
    """Refuses a ballot about options that there are not, or about none."""
    known = {one.option_id for one in poll.options}
    if not votes or not votes.keys() <= known:
        raise InvalidField("votes", "Choose among the options.")


def leaders(poll: HangoutPoll, now: float) -> list[HangoutPollOption]:
    """The options that win if it closes now: several where they are tied; none where none can.

    A time that is over cannot win.
    """
    possible = [one for one in poll.options if one.end_timestamp is None or one.end_timestamp > now]
    ranks = {one.option_id: tally_of(poll, one.option_id).rank for one in possible}
    best = max(ranks.values(), default=None)
    return [one for one in possible if ranks[one.option_id] == best]


def leading_ids(poll: HangoutPoll, now: float) -> Collection[str]:
    """Returns the options in front, once anybody has said that they can or could."""
    front = leaders(poll, now)
    return [one.option_id for one in front if any(tally_of(poll, one.option_id).rank[:2])]


def is_open(poll: HangoutPoll, now: float) -> bool:
    """Whether a poll takes votes: not after its deadline, even where closing it takes a moment."""
    return poll.closed_at is None and (poll.deadline is None or now < seconds(poll.deadline))


def check_takes_votes(poll: HangoutPoll, now: float) -> None:
    """Refuses where a poll takes no votes any more."""
    if not is_open(poll, now):
        raise Conflict("This poll is closed.")
