"""A person's agenda: what waits for them, and what comes up, whatever groups they are in.

Entries say where to look. What is shown, and whether they may see it, the originals say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any

from msgspec import Struct, msgpack

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.agenda import has_new_place, is_for
from commonroom.hangouts.rules.momentum import is_quiet
from commonroom.hangouts.rules.polls import is_open
from commonroom.hangouts.rules.rsvps import COMING, waits
from commonroom.hangouts.rules.times import DAY, takes_answers
from commonroom.hangouts.service.access import read_by_key
from commonroom.hangouts.tables import (
    WITHOUT_DAY,
    AgendaEntry,
    Ballot,
    Hangout,
    HangoutPerson,
    HangoutPoll,
    Rsvp,
    agenda_between,
    agenda_needs,
)
from commonroom.moments import seconds
from commonroom.store import Ref

COMING_DAYS = 7
BEGUN_DAYS = 2
"""So long ago a hangout may have begun that is still on: a weekend."""
READ_COMING, READ_NEEDS = 30, 100
"""Entries: of a series that waits for an answer, only the next is looked at."""
MAX_COMING, MAX_NEEDS, MAX_DATED, MAX_POLLS = 14, 16, 10, 19
"""Whose originals are read; all of them together are one request."""
SHARED_DAYS, READ_SHARED = 90, 30
"""Of plans with another person: how far ahead, and how many entries are looked at."""
OLD_IDEA_DAYS = 30
"""What is older and has no day is in its group's feed, and waits for nobody."""


class AgendaHangout(Struct, frozen=True):
    """A hangout on a person's agenda, as it is now."""

    hangout: Hangout
    rsvp: Rsvp | None
    polls: Sequence[HangoutPoll] = ()
    """Those in which they can vote, and have not."""
    has_new_place: bool = False
    """Whether they got a place for which they had waited, and have not answered since."""

    @property
    def is_waiting(self) -> bool:
        """Whether they wait for a place."""
        return waits(self.hangout, self.rsvp)


class Agenda(Struct, frozen=True):
    """What a person, or a managed member whom they act for, has before them."""

    needs: list[AgendaHangout]
    """What waits for them: those with a day first, the earliest first; then the newest."""
    coming: list[AgendaHangout]
    """What they go to or are interested in, on now or in the next days, the earliest first."""
    version: str = ""
    """Another text whenever an entry of theirs changes."""


async def see_agenda(ctx: Context, member: User) -> Agenda:
    """Returns the agenda of a person: three requests, whatever groups and hangouts there are."""
    coming, needs = await _read_entries(ctx)
    entries = list({one.hangout_id: one for one in [*coming, *needs]}.values())
    plans = sorted(await _read_plans(ctx, member, entries), key=_order) if entries else []
    ends = ctx.now + COMING_DAYS * DAY
    return Agenda(
        _next_of_series([one for one in plans if _waits(one, ctx.now)]),
        [one for one in plans if _comes(one, ends)],
        _version(coming, needs),
    )


async def agenda_version(ctx: Context) -> str:
    """Returns the version of a person's agenda: two requests."""
    return _version(*await _read_entries(ctx))


def _version(*entries: Sequence[AgendaEntry]) -> str:
    return blake2b(msgpack.encode(entries), digest_size=9).hexdigest()


async def _read_entries(ctx: Context) -> tuple[list[AgendaEntry], list[AgendaEntry]]:
    me, begun = ctx.person.user_id, int(ctx.now) - BEGUN_DAYS * DAY
    latest = int(ctx.now) + COMING_DAYS * DAY
    coming, needs = await ctx.store.gather(
        ctx.store.page(
            agenda_between(user_id=me, earliest=begun, latest=latest), limit=READ_COMING
        ),
        ctx.store.page(agenda_needs(user_id=me, after=begun), limit=READ_NEEDS),
    )
    return coming.items[:MAX_COMING], _worth_asking(needs.items, ctx.now)


def _worth_asking(entries: Sequence[AgendaEntry], now: float) -> list[AgendaEntry]:
    """Of what waits: of each series the next alone, not too many with a day, no old ideas."""
    dated: list[AgendaEntry] = []
    ideas: list[AgendaEntry] = []
    seen: set[str] = set()
    for one in entries:
        is_later_date = one.series_id in seen and not (one.poll_ids or one.moved_up)
        seen.update([one.series_id] if one.series_id is not None else ())
        since = one.floating_since
        if since is None and not is_later_date:
            dated.append(one)
        elif since is not None and (one.poll_ids or now - since < OLD_IDEA_DAYS * DAY):
            ideas.append(one)
    dated = dated[:MAX_DATED]
    return [*dated, *ideas[: MAX_NEEDS - len(dated)]]


async def _read_plans(
    ctx: Context, member: User, entries: Sequence[AgendaEntry]
) -> list[AgendaHangout]:
    """Returns the originals in one request, and of them what is on, and theirs to see."""
    me = ctx.person.user_id
    all_polls = (
        HangoutPoll.at(hangout_id=entry.hangout_id, poll_id=poll_id)
        for entry in entries
        for poll_id in entry.poll_ids
    )
    polls = list(islice(all_polls, MAX_POLLS))
    refs: list[Ref[Any]] = [
        HangoutPerson.at(user_id=me),
        *(Hangout.at(hangout_id=one.hangout_id) for one in entries),
        *(_rsvp(one.hangout_id, member) for one in entries),
        *polls,
        *(_ballot(one, member) for one in polls),
    ]
    found = await read_by_key(ctx.store, refs)
    open_polls: dict[str, list[HangoutPoll]] = defaultdict(list)
    for ref in polls:
        poll: HangoutPoll | None = found.get(ref.key)
        has_voted = _ballot(ref, member).key in found
        if poll is not None and is_open(poll, ctx.now) and not has_voted:
            open_polls[poll.hangout_id].append(poll)
    plans = []
    person: HangoutPerson | None = found.get(HangoutPerson.at(user_id=me).key)
    for entry in entries:
        hangout: Hangout | None = found.get(Hangout.at(hangout_id=entry.hangout_id).key)
        if hangout is not None and takes_answers(hangout, ctx.now) and is_for(hangout, me, person):
            rsvp: Rsvp | None = found.get(_rsvp(entry.hangout_id, member).key)
            has_place = has_new_place(hangout, rsvp, entry.moved_up)
            plans.append(AgendaHangout(hangout, rsvp, open_polls[entry.hangout_id], has_place))
    return plans


def _rsvp(hangout_id: str, member: User) -> Ref[Rsvp]:
    return Rsvp.at(hangout_id=hangout_id, user_id=member.user_id)


def _ballot(poll: Ref[HangoutPoll], member: User) -> Ref[Ballot]:
    return Ballot.at(user_id=member.user_id, **poll.fields)


def _waits(plan: AgendaHangout, now: float) -> bool:
    if plan.has_new_place or plan.polls:
        return plan.rsvp is None or plan.rsvp.status != "NOT_GOING"
    return plan.rsvp is None and not is_quiet(plan.hangout, now)


def _next_of_series(plans: Sequence[AgendaHangout]) -> list[AgendaHangout]:
    """Returns what waits, without the later dates of a series that wait for an answer alone."""
    seen: set[str] = set()
    shown = []
    for one in plans:
        series_id = one.hangout.series_id
        if series_id not in seen or one.polls or one.has_new_place:
            shown.append(one)
        if series_id is not None:
            seen.add(series_id)
    return shown


def _comes(plan: AgendaHangout, ends: float) -> bool:
    start = plan.hangout.start_timestamp
    if start is None or start > ends or plan.rsvp is None:
        return False
    return plan.rsvp.status != "NOT_GOING"


def _order(plan: AgendaHangout) -> tuple[float, str]:
    """Returns the sort key: the earliest first, then what has no day, the newest first."""
    hangout, start = plan.hangout, plan.hangout.start_timestamp
    at = WITHOUT_DAY - seconds(hangout.created_at) if start is None else start
    return at, hangout.hangout_id


async def plans_with(ctx: Context, other_id: str) -> list[Hangout]:
    """Returns what the person and another person both come to, the earliest first: two requests."""
    me, now = ctx.person.user_id, int(ctx.now)
    asked = agenda_between(user_id=me, earliest=now - DAY, latest=now + SHARED_DAYS * DAY)
    page = await ctx.store.page(asked, limit=READ_SHARED)
    ids = list(dict.fromkeys(one.hangout_id for one in page.items))
    if not ids:
        return []
    refs: list[Ref[Any]] = [
        HangoutPerson.at(user_id=me),
        *(Hangout.at(hangout_id=one) for one in ids),
        *(Rsvp.at(hangout_id=one, user_id=who) for one in ids for who in (me, other_id)),
    ]
    # An agenda says where to look; whether one may see it, and who comes, the originals say.
    person, *read = await ctx.store.batch_get(refs)
    hangouts, answers = read[: len(ids)], read[len(ids) :]
    both = zip(answers[::2], answers[1::2], strict=True)
    return [
        one
        for one, theirs in zip(hangouts, both, strict=True)
        if one is not None and is_for(one, me, person) and takes_answers(one, ctx.now)
        if all(it is not None and it.status in COMING for it in theirs)
    ]
