"""What an evening's film, vote and shortlist are called: by the day of the plan that has them."""

from __future__ import annotations

from datetime import date, datetime

from msgspec import Struct

from commonroom.http.times import WEEKDAYS, month_day, zone_of
from commonroom.http.words import _
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.tables import Round

WEEK_DAYS = 7
"""A weekday alone says which day is meant for less than a week ahead."""


class EveningWords(Struct, frozen=True):
    """Headings about an evening."""

    film: str
    vote: str
    shortlist: str


def evening_words(round_: Round, ctx: HouseholdContext) -> EveningWords:
    """Tonight's, unless a plan that is on another day carries the round."""
    today = datetime.fromtimestamp(ctx.now, zone_of(ctx.person)).date()
    day = None if round_.plan_day is None else date.fromisoformat(round_.plan_day)
    if round_.plan_id is None or day == today:
        return EveningWords(
            _("Tonight’s film"), _("Vote for tonight’s film"), _("Tonight’s shortlist")
        )
    if day is None:
        return EveningWords(_("The film"), _("Vote for the film"), _("The shortlist"))
    if 0 < (day - today).days < WEEK_DAYS:
        weekday = {"weekday": _(WEEKDAYS[day.weekday()])}
        return EveningWords(
            _("%(weekday)s’s film") % weekday,
            _("Vote for %(weekday)s’s film") % weekday,
            _("%(weekday)s’s shortlist") % weekday,
        )
    dated = {"day": month_day(day, today)}
    return EveningWords(
        _("The film for %(day)s") % dated,
        _("Vote for the film for %(day)s") % dated,
        _("The shortlist for %(day)s") % dated,
    )
