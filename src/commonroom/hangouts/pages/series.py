"""Hangouts that repeat in a browser: how, until when, and all dates."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import people_in_words, render_page
from commonroom.hangouts.pages.repeats import ERROR_FIELDS, read_repetition, repeats_in_words
from commonroom.hangouts.pages.when import when_of
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import series
from commonroom.hangouts.service.detail import see_hangout
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.request import Request

REPEAT = f"{addresses.HANGOUT}/repeat"


pages = Pages()


class RepeatForm(Form):
    """How something repeats."""

    repeats: Line = ""
    repeats_until: Line = ""

    error_fields = ERROR_FIELDS


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
