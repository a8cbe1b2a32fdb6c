"""What each page of the room costs: so many requests to the store, however much there is."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.store import Store, put
from commonroom.watchlists.service import follows, saves
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.service.seen import mark_seen
from commonroom.watchlists.tables.discovery import Trending, TrendingList
from tests.accounts.people import Watch
from tests.support.pages import Browser, requests_for
from tests.watchlists.examples import (
    ALIEN,
    DARK,
    HEAT,
    MATRIX,
    TITLES,
    asks,
    curator,
    list_of,
    somebody,
    tidied,
)
from tests.watchlists.pages.site import Site

FOR_GUESTS = {
    "/watchlists": 1,
    "/watchlists?sort=trending": 2,
    "/watchlists?genre=action": 2,
    "/watchlists?decade=1990": 2,
    "/watchlists?tag=cosy": 2,
    "/curators/ada": 4,
    "/lists/{list}": 3,
}
"""A list is one request, its comments are one, and whoever wrote them one."""
FOR_PEOPLE = {
    "/watchlists": 1,
    "/watchlists/mine": 3,
    "/watchlists/following": 4,
    "/watchlists/new": 1,
    "/watchlists/profile": 1,
    "/curators/ada": 5,
    "/lists/{list}": 4,
}
FOR_OWNERS = {"/lists/{list}/arrange": 1, "/lists/{list}/edit": 4}
FOR_ADMINISTRATORS = {"/admin/curators": 1, "/admin/curators?status=approved": 2}


async def furnish(store: Store, clock: Watch, ada: User, ben: User, number: int) -> str:
    """Public lists of Ada's with comments, followed by Ben, and some of his own; one's id."""
    made = ""
    for _ in range(number):
        clock.forward(1)
        one = await list_of(store, clock, ada, MATRIX, ALIEN, HEAT, DARK, tags=["cosy"])
        made = one.watchlist_id
        await saves.follow_list(asks(store, clock, ben), made)
        await add_comment(asks(store, clock, ben), made, "Fine.")
        await list_of(store, clock, ben, ALIEN, is_public=False)
    await follows.follow(asks(store, clock, ben), ada.user_id)
    await mark_seen(asks(store, clock, ben), TITLES, ALIEN)
    await tidied(store, clock)
    ranked = Trending(ranked_at=iso(clock()), lists=[TrendingList(watchlist_id=made, saves=1)])
    await store.write(put(ranked))
    return made


async def counted(browser: Browser, paths: dict[str, int], watchlist_id: str) -> dict[str, int]:
    """What each of these pages costs."""
    found = {}
    for path in paths:
        where = path.replace("{list}", watchlist_id)
        await browser.get(where)
        found[path] = await requests_for(browser, where)
    return found


@pytest.fixture(params=[1, 6])
async def made(
    request: pytest.FixtureRequest, store: Store, clock: Watch, ada: User, ben: User
) -> str:
    """A list among few others, and among several, with as many curators and followers."""
    number: int = request.param
    for one in range(number):
        await curator(store, clock, f"Curator {one}")
        person = await somebody(store, clock, f"Person {one}")
        await follows.follow(asks(store, clock, person), ada.user_id)
    return await furnish(store, clock, ada, ben, number)


async def test_every_page_costs_the_same_however_much_there_is(
    room: Site, made: str, ada: User, ben: User, root: User
) -> None:
    for person, costs in (
        (None, FOR_GUESTS),
        (ben, FOR_PEOPLE),
        (ada, FOR_OWNERS),
        (root, FOR_ADMINISTRATORS),
    ):
        assert await counted(await room.browser(person), costs, made) == costs
