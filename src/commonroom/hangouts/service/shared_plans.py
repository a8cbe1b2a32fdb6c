"""Plans of two people: the hangouts that come up and that both go to or are interested in."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.context import Context
from commonroom.hangouts.rules.agenda import is_for
from commonroom.hangouts.rules.rsvps import COMING
from commonroom.hangouts.rules.times import DAY, phase
from commonroom.hangouts.tables import Hangout, HangoutPerson, Rsvp, agenda_between
from commonroom.store import Ref

AHEAD_DAYS = 90
LOOKED_AT = 30


async def plans_with(ctx: Context, other_id: str) -> list[Hangout]:
    """Returns what the person and another person both come to, the earliest first: two requests."""
    me, now = ctx.person.user_id, int(ctx.now)
    asked = agenda_between(user_id=me, earliest=now - DAY, latest=now + AHEAD_DAYS * DAY)
    page = await ctx.store.page(asked, limit=LOOKED_AT)
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
    return [
        one
        for number, one in enumerate(hangouts)
        if one is not None and is_for(one, me, person) and _is_ahead(one, ctx.now)
        if all(_comes(answer) for answer in answers[2 * number : 2 * number + 2])
    ]


def _is_ahead(hangout: Hangout, now: float) -> bool:
    over = phase(hangout.start_timestamp, hangout.end_timestamp, now) == "past"
    return not over and hangout.cancelled_at is None


def _comes(answer: Rsvp | None) -> bool:
    return answer is not None and answer.status in COMING
