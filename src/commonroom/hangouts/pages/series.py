"""Hangouts that repeat in a browser: how, read from a form and in words, until when, all dates."""

from __future__ import annotations

from typing import Any

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses, words
from commonroom.hangouts.pages.cards import people_in_words, render_page
from commonroom.hangouts.pages.when import when_of
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import series
from commonroom.hangouts.service.detail import see_hangout
from commonroom.hangouts.tables import Hangout, Repetition, Series
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.times import calendar_day
from commonroom.http.words import _, pluralize

REPEAT = f"{addresses.HANGOUT}/repeat"
ERROR_FIELDS = {
    "repetition.frequency": "repeats",
    "repetition.times": "repeats",
    "repetition.until": "repeats_until",
}
"""Where forms show what is wrong with how something repeats."""

pages = Pages()


class RepeatForm(Form):
    """How something repeats."""

    repeats: Line = ""
    repeats_until: Line = ""

    error_fields = ERROR_FIELDS


def read_repetition(repeats: str, until: str) -> Repetition | None:
    """Returns what a form says; None where it does not repeat."""
    if not repeats:
        return None
    if repeats not in words.FREQUENCIES:
        raise InvalidField("repeats", "Choose how often.")
    frequency: Any = repeats
    return Repetition(frequency=frequency, until=until.strip() or None)


def repeats_in_words(series: Series | None) -> str:
    """Returns how a hangout repeats; empty where it does not, or no longer."""
    if series is None:
        return ""
    how = series.repetition
    said = _(words.FREQUENCIES[how.frequency])
    if how.until is not None:
        return _("%(how)s, until %(day)s") % {"how": said, "day": calendar_day(how.until)}
    if how.times is not None:
        return f"{said}, {pluralize('%(n)d time', '%(n)d times', how.times)}"
    return said


def party_in_words(hangout: Hangout, series: Series | None) -> str:
    """Returns which title of a watch party a hangout is for; empty where it is no such party."""
    if series is None or not series.parts or hangout.part is None:
        return ""
    numbers = {"n": hangout.part + 1, "all": len(series.parts)}
    return _("Watch party, %(n)d of %(all)d") % numbers


@pages.form(REPEAT, Need.NOT_ACTING, on=addresses.HANGOUT, flash="hangout-repeats")
async def repeat(ctx: Ctx, hangout_id: str, data: RepeatForm) -> None:
    """Lets it repeat, or repeat otherwise from this one on."""
    wanted = read_repetition(data.repeats, data.repeats_until)
    if wanted is None:
        raise InvalidField("repeats", "Choose how often.")
    await series.set_repetition(ctx, hangout_id, wanted)


@pages.form(
    f"{REPEAT}/stop", Need.NOT_ACTING, on=addresses.HANGOUT, flash="hangout-repeats-no-more"
)
async def stop(ctx: Ctx, hangout_id: str) -> None:
    """Lets the series end with this one."""
    await series.set_repetition(ctx, hangout_id, None)


@pages.page(f"{addresses.HANGOUT}/dates", Need.SIGNED_IN)
async def dates_page(request: Request, member: Member, hangout_id: str) -> Response[Any]:
    """All dates that come up: three requests."""
    seen = await see_hangout(request.context, member, hangout_id)
    found = await series.upcoming_dates(request.context, seen.hangout)
    zone = request.person.time_zone
    return render_page(
        request,
        "dates.html",
        hangout=seen.hangout,
        repeats=repeats_in_words(seen.series),
        dates=[
            (one, when_of(one, request.now, zone), people_in_words(one.going_count, 0))
            for one in found
        ],
    )
