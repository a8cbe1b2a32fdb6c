"""Polls in a browser: asked by taps, voted on in one tap each, closed with a word."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.drafts import OTHER, HangoutForm, entered_time, zone_of
from commonroom.hangouts.request import Member, PollRef
from commonroom.hangouts.rules.polls import MAX_OPTIONS, VOTES, TypedHangoutPollOption
from commonroom.hangouts.service import ballots, poll_closing, polls
from commonroom.hangouts.service.access import open_thing
from commonroom.hangouts.service.polls import TypedHangoutPoll
from commonroom.hangouts.tables import EnteredTime, PollSubject, Venue, Vote
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, OneOrMany, Pages, as_list
from commonroom.http.redirects import redirect
from commonroom.http.responses import Response
from commonroom.moments import iso

POLLS = f"{addresses.HANGOUT}/polls"
POLL = f"{POLLS}/{{poll_id:str}}"
SUBJECTS = ("TIME", "PLACE", "OTHER")
DAY_SECONDS = 24 * 3600
KEEP = "keep"

pages = Pages()
action = partial(pages.form, on=addresses.HANGOUT)


class TimeForm(Form):
    """When something could be; several days at once where they are tapped."""

    days: OneOrMany = ""
    day: Line = ""
    part: Line = ""
    time: Line = ""
    time_means: Line = ""


class PollForm(TimeForm):
    """A poll to be: about days, or with an option on each line."""

    subject: Line = ""
    title: Line = ""
    lines: str = ""
    deadline: Line = ""


class OptionForm(TimeForm):
    """One more option of a poll."""

    poll: Line = ""
    """Which one, for the page to show what was refused."""
    label: Line = ""
    address: Line = ""


class PollVoteForm(Form):
    """What a person says to one option."""

    vote: Line = ""


class RemovalForm(Form):
    """An option that is to go."""

    option_id: Line = ""


class ClosingForm(Form):
    """Which option is taken."""

    option_id: Line = ""
    undecided: bool = False


class SettingsForm(Form):
    """Until when a poll takes votes, and who adds options."""

    deadline: Line = ""
    others_add_options: bool = False


@action(POLLS, Need.NOT_ACTING, flash="poll-made")
async def ask(ctx: Ctx, hangout_id: str, data: PollForm) -> None:
    """Asks everybody."""
    if data.subject not in SUBJECTS:
        raise InvalidField("subject", "Choose what to ask.")
    subject = cast("PollSubject", data.subject)
    zone = zone_of(ctx.person.time_zone)
    typed = TypedHangoutPoll(
        subject=subject,
        title=data.title,
        options=_times(data, ctx.now, zone) if subject == "TIME" else _lines(subject, data.lines),
        deadline=_deadline(data.deadline, ctx.now),
    )
    await polls.create_poll(ctx, hangout_id, typed)


@action(f"{POLL}/vote", Need.SIGNED_IN, flash="poll-voted")
async def vote(ctx: Ctx, member: Member, poll: PollRef, data: PollVoteForm) -> None:
    """Votes on one option; what was said of the others stays."""
    option_id, _, said = data.vote.rpartition(".")
    if said not in VOTES:
        raise InvalidField("vote", "Choose among the options.")
    votes: dict[str, Vote] = {option_id: said}
    await ballots.vote(ctx, member, poll, votes, whole=False)


@action(f"{POLL}/withdraw", Need.SIGNED_IN, flash="poll-vote-withdrawn")
async def withdraw(ctx: Ctx, member: Member, poll: PollRef) -> None:
    """Takes all of one's votes back."""
    await ballots.withdraw_vote(ctx, member, poll)


@action(f"{POLL}/options", Need.NOT_ACTING, flash="poll-option-added")
async def add_option(ctx: Ctx, poll: PollRef, data: OptionForm) -> None:
    """Adds an option: a time where a day was chosen, a place or words where these were typed."""
    times = _times(data, ctx.now, zone_of(ctx.person.time_zone))
    if times:
        option = times[0]
    else:
        _access, found = await open_thing(ctx, poll)
        option = _named(found.subject, data.label, data.address)
    await polls.add_option(ctx, poll, option)


@action(f"{POLL}/options/remove", Need.NOT_ACTING, flash="poll-option-removed")
async def remove_option(ctx: Ctx, poll: PollRef, data: RemovalForm) -> None:
    """Removes an option."""
    await polls.remove_option(ctx, poll, data.option_id)


@action(f"{POLL}/close", Need.NOT_ACTING)
async def close(ctx: Ctx, poll: PollRef, data: ClosingForm) -> Response[Any]:
    """Closes a poll, with the option that was seen in front or chosen, or without one."""
    chosen = data.option_id or None
    closed = await poll_closing.close_poll(ctx, poll, option_id=chosen, undecided=data.undecided)
    flash = "poll-decided" if closed.outcome == "DECIDED" else "poll-closed"
    return redirect(addresses.hangout(closed.hangout_id), flash)


@action(f"{POLL}/settings", Need.NOT_ACTING, flash="poll-saved")
async def settle(ctx: Ctx, poll: PollRef, data: SettingsForm) -> None:
    """Changes its deadline, and who adds options."""
    changes: dict[str, object] = {"others_add_options": data.others_add_options}
    if data.deadline != KEEP:
        changes["deadline"] = _deadline(data.deadline, ctx.now)
    await polls.change_poll(ctx, poll, changes)


@action(f"{POLL}/delete", Need.NOT_ACTING, flash="poll-deleted")
async def delete(ctx: Ctx, poll: PollRef) -> None:
    """Deletes a poll."""
    await polls.delete_poll(ctx, poll)


def _times(data: TimeForm, now: float, zone: str) -> list[TypedHangoutPollOption]:
    """Returns the times of all days that were tapped or typed, each at the same time of the day."""
    tapped = [one for one in as_list(data.days) if one]
    chosen = [(one, "") for one in tapped]
    if data.day.strip():
        chosen.append((OTHER, data.day))
    found = [_time(data, choice, day, now, zone) for choice, day in chosen[: MAX_OPTIONS + 1]]
    return [TypedHangoutPollOption(time=one) for one in found if one is not None]


def _time(data: TimeForm, choice: str, day: str, now: float, zone: str) -> EnteredTime | None:
    one = HangoutForm(
        day_choice=choice, day=day, part=data.part, time=data.time, time_means=data.time_means
    )
    return entered_time(one, now, zone)


def _lines(subject: PollSubject, text: str) -> list[TypedHangoutPollOption]:
    lines = [one for one in text.splitlines() if one.strip()]
    return [_named(subject, one) for one in lines[: MAX_OPTIONS + 1]]


def _named(subject: PollSubject, name: str, address: str = "") -> TypedHangoutPollOption:
    if subject == "PLACE":
        return TypedHangoutPollOption(place=Venue(name=name, address=address or None))
    if subject == "TIME":
        raise InvalidField("day", "Choose a day.")
    return TypedHangoutPollOption(label=name)


def _deadline(days: str, now: float) -> str | None:
    """Returns the moment so many days from now; None where there is to be none."""
    if not days:
        return None
    if days not in ("1", "3", "7"):
        raise InvalidField("deadline", "Choose a deadline.")
    return iso(now + int(days) * DAY_SECONDS)
