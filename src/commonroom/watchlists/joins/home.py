"""What watchlists add to home: followed lists on which something is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.http.request import Request
from commonroom.http.words import _, pluralize
from commonroom.joins.home import HomeCard, HomeFind, HomePart, HomeSection, HomeSource, card_key
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.service.saves import FollowedList, followed_list
from commonroom.watchlists.tables import Watchlist, saved_watchlists

MAX_FOLLOWED = 30
"""How many followed lists are looked at."""
MAX_SHOWN = 4


async def find(request: Request) -> HomeFind | None:
    """Followed lists to which something was added since the last visit: one request."""
    asked = saved_watchlists(user_id=request.person.user_id)
    followed = (await request.store.page(asked, limit=MAX_FOLLOWED)).items
    if not followed:
        return None

    def show(found: Sequence[Any]) -> HomePart:
        lists = [followed_list(*pair) for pair in zip(followed, found, strict=True)]
        new = [one for one in lists if one.new_count]
        new.sort(key=lambda one: (-one.new_count, one.title))
        cards = [_card(one) for one in new[:MAX_SHOWN]]
        title = _("New on lists you follow")
        return HomePart(sections=[HomeSection(key="news", title=title, cards=cards)])

    return HomeFind(show, [Watchlist.at(watchlist_id=one.watchlist_id) for one in followed])


def _card(one: FollowedList) -> HomeCard:
    watchlist_id = one.saved.watchlist_id
    by = one.watchlist.curator_name if one.watchlist is not None else None
    return HomeCard(
        key=card_key("list", watchlist_id),
        icon="watchlists",
        title=one.title,
        line=_("By %(name)s") % {"name": by} if by else "",
        address=addresses.watchlist(watchlist_id),
        tag=pluralize("%(n)d new", "%(n)d new", one.new_count),
    )


HOME = HomeSource(find=find)
