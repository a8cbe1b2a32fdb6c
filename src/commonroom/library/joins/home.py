"""What the library adds to home: what is to be brought back, by the caller or to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.http.request import Request
from commonroom.http.words import _
from commonroom.joins.home import (
    HomeAction,
    HomeCard,
    HomeFind,
    HomePart,
    HomeSection,
    HomeSource,
    card_key,
)
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import DueDay, due_day
from commonroom.library.service.due import find_due
from commonroom.library.tables import Book, Video

ICON = "library"
PRESSING_DAYS = 1
"""From when on something borrowed waits for its borrower: a day before it is due."""


async def find(request: Request) -> HomeFind:
    """Returns what is lent and borrowed, and due within a week: two requests."""
    due = await find_due(request.context)

    def show(found: Sequence[Any]) -> HomePart:
        seen = due.due(found)
        needs: list[HomeCard] = []
        later = [_lent(request, one) for one in seen.lent]
        for one in seen.borrowed:
            day = due_day(one.due_date, request.now, request.person)
            is_pressing = day is not None and day.days <= PRESSING_DAYS
            (needs if is_pressing else later).append(_borrowed(one, day))
        lent = HomeSection(key="due", title=_("Lent and borrowed"), cards=later)
        return HomePart(needs=needs, sections=[lent])

    return HomeFind(show, due.refs)


def _lent(request: Request, item: Book | Video) -> HomeCard:
    address = addresses.item(item.library_id, item.item_id)
    day = due_day(item.due_date, request.now, request.person)
    return HomeCard(
        key=card_key("lent", item.item_id),
        icon=ICON,
        title=item.title,
        line=_("Lent to %(name)s") % {"name": item.lent_to},
        address=address,
        actions=[HomeAction(label=_("Mark returned"), action=f"{address}/return", icon="check")],
        at=None if day is None else day.moment,
        tag="" if day is None else day.words,
        is_late=day is not None and day.is_overdue,
    )


def _borrowed(item: Book | Video, day: DueDay | None) -> HomeCard:
    return HomeCard(
        key=card_key("borrowed", item.item_id),
        icon=ICON,
        title=_("Bring back %(title)s") % {"title": item.title},
        line=_("Borrowed from %(name)s") % {"name": item.owner_name} if item.owner_name else "",
        address=addresses.LOANS,
        at=None if day is None else day.moment,
        tag="" if day is None else day.words,
        is_late=day is not None and day.is_overdue,
    )


HOME = HomeSource(find=find)
