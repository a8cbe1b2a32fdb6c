"""Hangouts on a person's page: the groups that one is in together, and what one plans."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.when import when_of
from commonroom.hangouts.service.agenda import plans_with
from commonroom.hangouts.tables import FriendGroup, Hangout, HangoutPerson
from commonroom.http.request import Request
from commonroom.http.words import _, pluralize
from commonroom.joins.person_parts import PersonPart, SharedThing

MAX_ROWS = 50


async def person_parts(request: Request, person: User) -> list[PersonPart]:
    """Returns the groups that both are in, and the hangouts that both come to: four requests."""
    groups, plans = await request.store.gather(
        _shared_groups(request, person), plans_with(request.context, person.user_id)
    )
    found = [
        (_("Planned together"), "clock", [_plan(request, one) for one in plans]),
        (_("Groups"), "hangouts", [_group(one) for one in groups]),
    ]
    return [PersonPart(title=title, icon=icon, rows=rows) for title, icon, rows in found if rows]


async def _shared_groups(request: Request, person: User) -> list[FriendGroup]:
    mine, theirs = await request.store.batch_get(
        [HangoutPerson.at(user_id=one.user_id) for one in (request.person, person)]
    )
    if mine is None or theirs is None:
        return []
    both = [one for one in mine.groups if one in theirs.groups][:MAX_ROWS]
    found = await request.store.batch_get([FriendGroup.at(group_id=one) for one in both])
    return [one for one in found if one is not None]


def _group(group: FriendGroup) -> SharedThing:
    return SharedThing(
        title=group.group_name,
        line=pluralize("%(n)d member", "%(n)d members", group.member_count),
        address=addresses.group(group.group_id),
    )


def _plan(request: Request, hangout: Hangout) -> SharedThing:
    when = when_of(hangout, request.now, request.person.time_zone)
    return SharedThing(
        title=hangout.title,
        line="" if when is None else when.line,
        address=addresses.hangout(hangout.hangout_id),
    )
