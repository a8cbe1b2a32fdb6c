"""What hangouts add to home: invitations, polls and places that wait, and what comes up."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts import addresses, words
from commonroom.hangouts.pages.when import HangoutWhen, when_of
from commonroom.hangouts.service.agenda import Agenda, AgendaHangout, agenda_version, see_agenda
from commonroom.hangouts.tables import HangoutPoll, RsvpStatus
from commonroom.http.request import Request
from commonroom.http.words import _, pluralize
from commonroom.joins.home import (
    HomeAction,
    HomeCard,
    HomeFind,
    HomePart,
    HomeSource,
    card_key,
)

ICON = "hangouts"


async def find(request: Request) -> HomeFind | None:
    """Returns what waits for the caller, and their seven days: three requests.

    Who planned what waits is read with what other rooms want to know.
    """
    agenda = await see_agenda(request.context, request.caller.member)
    refs = [User.at(user_id=one) for one in _makers(request, agenda)]

    def show(found: Sequence[Any]) -> HomePart:
        names = {one.user_id: one.display_name for one in found if isinstance(one, User)}
        return HomePart(
            needs=[_need(request, one, names) for one in agenda.needs],
            coming=[_coming(request, one) for one in agenda.coming],
            version=agenda.version,
        )

    return HomeFind(show, refs)


async def version(request: Request) -> str:
    """Returns what changes with an agenda: two requests. The page may have been open for days."""
    return await agenda_version(Context(request.store, request.person, time.time()))


def _makers(request: Request, agenda: Agenda) -> list[str]:
    """Returns who planned what waits for an answer, and is still there."""
    hangouts = [one.hangout for one in agenda.needs if one.rsvp is None]
    ids = {one.created_by for one in hangouts if one.created_by in one.invited_user_ids}
    return sorted(ids - {request.person.user_id})


def _need(request: Request, plan: AgendaHangout, names: Mapping[str, str]) -> HomeCard:
    one, polls = plan.hangout, plan.polls
    address = addresses.hangout(one.hangout_id)
    when = when_of(one, request.now, request.person.time_zone)
    day = _("No day yet") if when is None else when.line
    place = None if one.place is None else one.place.name
    maker = names.get(one.created_by)
    said = [
        _("You’ve got a place!") if plan.has_new_place else None,
        _question(polls),
        day if when is not None or not polls else None,
        place,
        None if maker is None else _("from %(name)s") % {"name": maker},
    ]
    return HomeCard(
        key=card_key("hangout", one.hangout_id),
        icon=ICON,
        title=one.title,
        line=" · ".join(filter(None, said)),
        address=f"{address}#poll-{polls[0].poll_id}" if polls else address,
        link=_("Vote") if polls else "",
        actions=_answers(plan, address),
        at=one.start_timestamp,
    )


def _question(polls: Sequence[HangoutPoll]) -> str | None:
    """Returns what is asked, where one can vote."""
    if not polls:
        return None
    if len(polls) > 1:
        return pluralize("%(n)d poll", "%(n)d polls", len(polls))
    return polls[0].title or _(words.POLL_TITLES[polls[0].subject])


def _answers(plan: AgendaHangout, address: str) -> list[HomeAction]:
    """What can be said in one tap: to an idea, whether one would; to a day, whether one comes."""
    if plan.rsvp is not None and not plan.has_new_place:
        return []
    labels: dict[RsvpStatus, str] = {one: _(label) for one, label in words.ANSWERS.items()}
    if plan.has_new_place:
        del labels["INTERESTED"]
    elif plan.hangout.start_timestamp is None:
        del labels["GOING"]
        labels["NOT_GOING"] = _("Not for me")
    main = None if plan.polls else next(iter(labels))
    return [
        HomeAction(
            label=label,
            action=f"{address}/answer",
            values={"status": status},
            is_main=status == main,
        )
        for status, label in labels.items()
    ]


def _coming(request: Request, plan: AgendaHangout) -> HomeCard:
    one = plan.hangout
    when = when_of(one, request.now, request.person.time_zone)
    place = None if one.place is None else one.place.name
    status: RsvpStatus = "INTERESTED" if plan.rsvp is None else plan.rsvp.status
    return HomeCard(
        key=card_key("coming", one.hangout_id),
        icon=ICON,
        title=one.title,
        line=" · ".join(filter(None, [_time(when), place])),
        address=addresses.hangout(one.hangout_id),
        at=one.start_timestamp,
        tag=_("Waiting list") if plan.is_waiting else _(words.ANSWERS[status]),
    )


def _time(when: HangoutWhen | None) -> str | None:
    """Returns the time of a day that is shown beside it."""
    if when is None or not when.clock:
        return None if when is None else when.day
    return f"{when.clock} ({when.whose_clock})" if when.whose_clock else when.clock


HOME = HomeSource(find=find, for_children=True, version=version)
