"""Lists in a browser: what comes up for me, what is over, and a month."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct

from commonroom.hangouts import addresses, words
from commonroom.hangouts.pages.cards import HangoutCard, by_day, cards_of, lists_of, render_page
from commonroom.hangouts.pages.when import month_name
from commonroom.hangouts.request import ListScope, Member
from commonroom.hangouts.rules.months import midnight, next_month, read_month
from commonroom.hangouts.service import lists
from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.typed_times import known_zone

MonthName = Annotated[str, Meta(max_length=20)]


pages = Pages()


class CalendarDay(Struct, frozen=True):
    """A day of a month view."""

    day: date
    is_in_month: bool
    is_today: bool
    cards: list[HangoutCard]


@pages.page(addresses.ROOM, Need.SIGNED_IN)
async def home(request: Request, member: Member, scope: ListScope) -> Response[Any]:
    """What is on, comes up and has no day yet, over all my groups and invitations."""
    found = await lists.upcoming(request.context, member, scope)
    return render_page(
        request, "home.html", lists=lists_of(request, found, scope.names), groups=scope.mine
    )


@pages.page([addresses.PAST, f"{addresses.GROUP}/past"], Need.SIGNED_IN)
async def past(
    request: Request, member: Member, scope: ListScope, before: Cursor = None, after: Cursor = None
) -> Response[Any]:
    """What is over, of mine or of one group, the latest first; goes on both ways."""
    found = await lists.stretch(
        request.context, member, scope, before=before, after=after, limit=20
    )
    cards = cards_of(request, found.items, scope.names)
    over = [card for card in reversed(cards) if not card.is_open or card.is_cancelled]
    shows_newer = before is not None or after is not None
    return render_page(
        request,
        "past.html",
        days=by_day(over),
        group=scope.group,
        earlier=found.earlier,
        later=found.later if shows_newer else None,
    )


@pages.page([addresses.MONTH, f"{addresses.GROUP}/month"], Need.SIGNED_IN)
async def month(
    request: Request, member: Member, scope: ListScope, month: MonthName = ""
) -> Response[Any]:
    """A month of mine, or of one group."""
    zone = known_zone(request.person.time_zone) or "UTC"
    today = datetime.fromtimestamp(request.now, ZoneInfo(zone)).date()
    first = read_month(month) if month else today.replace(day=1)
    shown = first - timedelta(days=first.weekday())
    end = next_month(first)
    last = end + timedelta(days=-end.weekday() % 7)
    found = await lists.month(
        request.context, member, scope, midnight(shown, zone), midnight(last, zone)
    )
    cards = cards_of(request, found, scope.names)
    all_days = (shown + timedelta(days=number) for number in range((last - shown).days))
    days = [_calendar_day(day, first, today, cards) for day in all_days]
    return render_page(
        request,
        "month.html",
        name=month_name(first),
        weeks=[days[start : start + 7] for start in range(0, len(days), 7)],
        weekdays=[(words.short_weekday(one), words.weekday(one)) for one in range(7)],
        agenda=by_day([one for one in cards if _is_in(one, first, end)]),
        group=scope.group,
        before=f"{first - timedelta(days=1):%Y-%m}",
        after=f"{end:%Y-%m}",
        is_now=first == today.replace(day=1),
    )


def _calendar_day(day: date, first: date, today: date, cards: list[HangoutCard]) -> CalendarDay:
    of_day = [one for one in cards if _is_in(one, day, day + timedelta(days=1))]
    return CalendarDay(day, day.month == first.month, day == today, of_day)


def _is_in(card: HangoutCard, first: date, end: date) -> bool:
    """Returns whether a hangout is on in these days, where it is."""
    if card.when is None:
        return False
    last = (card.when.end - timedelta(seconds=1)).date()
    return card.when.start.date() < end and max(last, card.when.start.date()) >= first
