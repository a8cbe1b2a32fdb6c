"""What is joined shows nowhere to those who may not see it: every page of the house, everybody.

Each thing of an evening has a word of its own. The table beside this module says of every address
that shows one which of them each caller reads there; what is not in the table shows none.
`tests.support.who_may` says how to print it anew.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.house.rooms import ROOMS
from commonroom.http.authentication import ACTING_COOKIE
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library
from commonroom.library.service.loans import lend
from commonroom.library.tables import Book
from commonroom.model import MODEL
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.rounds.lifecycle import start_voting
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.queries import get_round
from commonroom.store.streams import copy_consumers
from tests.accounts.api.calling import Client, someone
from tests.hangouts.friends import group_of
from tests.hangouts.pages.browsing import sent
from tests.house.joins.friends import Friends, friends_at
from tests.movienight.evenings import context_of, home_of, likes, now_of
from tests.shareables.furniture import SHOPPING
from tests.support.application import every_route
from tests.support.context import at
from tests.support.who_may import WhoMay
from tests.watchlists.examples import ALIEN, HEAT, list_of, stock

CALLERS = ("host", "at home", "friend", "invited", "child", "stranger", "guest")
"""The host's household has `at home` and the `child`; of the group is the `friend`."""
WORDS = {
    "group": "Wombat",
    "hangout": "Ukulele",
    "page": "Yodelling",
    "list": "Quokka",
    "loan": "Zeppelin",
}
NOTHING = "–"


class Evening:
    """A hangout of Ada's that carries a round, a page behind a passcode and a private list."""

    def __init__(self, friends: Friends) -> None:
        self.friends = friends
        self.words = dict(WORDS)
        self.ids: dict[str, str] = {}
        self._browsers: dict[str, Client] = {}

    async def furnish(self) -> None:
        """Everybody, and all that they plan, lend and share."""
        friends = self.friends
        store, clock, ada, ben = friends.store, friends.clock, friends.ada, friends.ben
        dora = await someone(store, "Dora")
        await home_of(store, clock, ada, dora)
        kim = await add_managed(
            at(store, clock(), await context_of(store, ada)), display_name="Kim"
        )
        for who, acting_as in ((ada, None), (dora, None), (ada, kim)):
            await likes(store, clock, who, acting_as)
        await self._plan()
        await self._carry()
        for who in (ada, ben):
            typed = TypedRsvp(status="GOING")
            await answer(friends.ctx(who), who, friends.hangout.hangout_id, typed)
        await self._lend(ada, ben)
        of_rooms = [one for room in ROOMS for one in room.data.consumers]
        await friends.follow(*copy_consumers(MODEL.copies), *of_rooms)
        people = {"host": ada, "at home": dora, "friend": ben, "invited": friends.cleo}
        for name, person in (people | {"stranger": friends.eve}).items():
            self._browsers[name] = await friends.browser(await now_of(store, person))
        self._browsers["child"] = await friends.browser(await now_of(store, ada))
        self._browsers["child"].cookies.set(ACTING_COOKIE, kim.user_id, domain="commonroom.test")
        self._browsers["guest"] = await friends.calling.guest()
        self.ids |= {"user_id": ada.user_id, "member_id": kim.user_id}

    async def _plan(self) -> None:
        friends = self.friends
        name = f"{self.words['group']}s"
        friends.group = await group_of(
            friends.store, friends.clock, friends.ada, friends.ben, name=name
        )
        title = f"{self.words['hangout']} evening"
        friends.hangout = await friends.plans(friends.group, title=title)
        self.ids["group_id"] = friends.group.group_id
        self.ids["hangout_id"] = friends.hangout.hangout_id

    async def _carry(self) -> None:
        friends, ada = self.friends, self.friends.ada
        page = await friends.shares(ada, replace(SHOPPING, name=self.words["page"]))
        await friends.attach(ada, "shareable", f"checklist.{page.short_id}")
        await stock(friends.store)
        title = f"{self.words['list']} films"
        listed = await list_of(
            friends.store, friends.clock, ada, *(ALIEN, HEAT), title=title, is_public=False
        )
        await friends.attach(ada, "watchlist", listed.watchlist_id)
        begin = f"{friends.address}/attachments/begin"
        leads = await sent(await friends.browser(ada), begin, kind="round")
        round_id = leads.rpartition("/")[2]
        seat = at(friends.store, friends.clock(), await context_of(friends.store, ada))
        await start_voting(seat, round_id)
        film = (await get_round(seat, round_id)).films[0]
        self.words["round"] = (await pick(seat, round_id, film)).title
        self.ids |= {
            "round_id": round_id,
            "short_id": page.short_id,
            "watchlist_id": listed.watchlist_id,
            "kind": "round",
            "thing_id": round_id,
        }

    async def _lend(self, ada: User, ben: User) -> None:
        ctx = self.friends.ctx(ada)
        library = await create_library(ctx, name="Books")
        given = {"title": f"{self.words['loan']} atlas"}
        kept = await add_item(ctx, library.library_id, kind=Book, given=given)
        await lend(ctx, library.library_id, kept.item.item_id, to="Ben", email=ben.email)
        self.ids |= {"library_id": library.library_id, "item_id": kept.item.item_id}

    async def ask(self, caller: str, method: str, path: str) -> list[str]:
        """Which things a caller reads of at an address."""
        filled = re.sub(r"\{(\w+):\w+\}", lambda found: self.ids.get(found[1], "nothing"), path)
        told = await self._browsers[caller].request(method, filled)
        text = unescape(told.text)
        return [thing for thing, word in self.words.items() if word in text]


@asynccontextmanager
async def evening(folder: Path) -> AsyncIterator[Evening]:
    """The evening, planned."""
    async with friends_at(folder) as friends:
        made = Evening(friends)
        await made.furnish()
        yield made


TABLE = WhoMay(
    Path(__file__).with_name("who_sees.txt"),
    callers=CALLERS,
    routes=[
        (method, path)
        for method, path in every_route()
        if method == "GET" and not path.endswith("/live")
    ],
    house=evening,
    cell=lambda seen: ", ".join(seen) or NOTHING,
    unwritten=NOTHING,
)


@TABLE.each_caller
async def test_everybody_reads_of_what_they_may_see_and_of_nothing_else(
    tmp_path: Path, caller: str
) -> None:
    async with evening(tmp_path) as planned:
        await TABLE.ask_everything(planned, caller)
