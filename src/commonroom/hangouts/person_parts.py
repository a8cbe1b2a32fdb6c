"""Hangouts on a person's page: the groups that one is in together."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts.pages import addresses
from commonroom.hangouts.tables import Group, Person
from commonroom.web.person_parts import PersonPart, PersonRow
from commonroom.web.request import Request
from commonroom.web.words import _, counted

MOST = 50


async def person_parts(request: Request, person: User) -> list[PersonPart]:
    """The groups that both are in: two requests, one where there are none."""
    mine, theirs = await request.store.batch_get(
        [Person.at(user_id=one.user_id) for one in (request.person, person)]
    )
    if mine is None or theirs is None:
        return []
    both = [one for one in mine.groups if one in theirs.groups][:MOST]
    if not both:
        return []
    groups = await request.store.batch_get([Group.at(group_id=one) for one in both])
    rows = [
        PersonRow(
            title=one.group_name,
            line=counted("%(n)d member", "%(n)d members", one.member_count),
            address=addresses.group(one.group_id),
        )
        for one in groups
        if one is not None
    ]
    if not rows:
        return []
    return [PersonPart(title=_("Groups"), icon="hangouts", rows=rows)]
