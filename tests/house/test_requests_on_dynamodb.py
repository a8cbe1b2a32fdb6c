"""How many requests views take on DynamoDB, counted at the wire, and who is remembered there."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from httpx import ASGITransport, AsyncClient

from commonroom.accounts.context import Context
from commonroom.accounts.service import administration, sessions
from commonroom.accounts.tables import User
from commonroom.house.app import routes
from commonroom.http import access
from commonroom.http.authentication import COOKIE
from commonroom.http.live_topics import Live
from commonroom.http.metrics import Metrics
from commonroom.http.timed_cache import MAX_SECONDS
from commonroom.library.service.collections import create_collection
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library, share
from commonroom.library.tables import Book
from commonroom.model import MODEL
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.preferences import set_preferences
from commonroom.movienight.service.rounds import lifecycle, picks, votes
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.movienight.service.watched import mark_round_watched
from commonroom.movienight.service.wishes import add_wish
from commonroom.movienight.tables import Household
from commonroom.settings import Settings
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passes import Passes
from commonroom.store import Store, update
from commonroom.store.dynamodb import connect
from commonroom.titles.builtin import Catalogue
from tests.accounts.api.calling import first, someone
from tests.shareables.furniture import SUMMER
from tests.support.dynamodb_local import settings_for
from tests.support.wire_counter import WireCounter, counting_wire
from tests.together.plenty import fill_shelves, follow_lists

DOCUMENTED = Path(__file__).parents[2] / "docs" / "operating.md"
LIMITS = {"household home": 5, "round": 4, "history": 2, "shelf": 3, "shared shelf": 3, "poll": 3}
API = "/api/v1"


class Clock:
    """The time of the guard: it stands still until a test says so."""

    def __init__(self) -> None:
        self.now = time.time()

    def time(self) -> float:
        """What time it is."""
        return self.now


@pytest.fixture
def clock_of_guard(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(access, "time", clock)
    return clock


class Process:
    """A process that serves: its own application, over its own connection to the same tables."""

    def __init__(self, store: Store, folder: Path, stack: AsyncExitStack) -> None:
        self.store, self._stack = store, stack
        self.app = routes(store, Settings(data=folder), Live(store), Metrics())

    async def browser(self, secret: str, accept: str = "text/html") -> AsyncClient:
        """The browser that has a session's secret, asking here."""
        client = AsyncClient(
            transport=ASGITransport(self.app),
            base_url="http://house.example",
            headers={"accept": accept},
        )
        client.cookies.set(COOKIE, secret, domain="house.example")
        return await self._stack.enter_async_context(client)


class Place:
    """An installation on DynamoDB Local, whose every request is counted."""

    def __init__(self, wire: WireCounter, folder: Path, stack: AsyncExitStack) -> None:
        self.wire, self._folder, self._stack = wire, folder, stack

    async def process(self) -> Process:
        """One more process."""
        engine = await connect(settings_for(self.wire.endpoint))
        store = Store(engine)
        self._stack.push_async_callback(store.close)
        return Process(store, self._folder, self._stack)


@pytest.fixture
async def place(empty_dynamodb: str, tmp_path: Path) -> AsyncIterator[Place]:
    async with counting_wire(empty_dynamodb) as wire, AsyncExitStack() as stack:
        engine = await connect(settings_for(wire.endpoint))
        stack.push_async_callback(engine.close)
        await engine.create_tables(MODEL.tables)
        yield Place(wire, tmp_path, stack)


async def seat_of(store: Store, person: User) -> HouseholdContext:
    """The seat of somebody who asks now."""
    known = await store.get(person.ref)
    assert known is not None
    seat = await find_household_context(Context(store, known, time.time()), known)
    assert seat is not None
    return seat


async def live_together(store: Store, ada: User, evenings: int = 2) -> str:
    """A household with a child, wishes, films it has watched, and a round with votes."""
    await create_household(Context(store, ada, time.time()), name="Home")
    seat = await seat_of(store, ada)
    await add_managed(seat, display_name="Zoe")
    await set_preferences(seat, seat.member_id, likes=["35", "18"], dislikes=[], ceiling="R")
    await add_wish(seat, Catalogue(), 13)
    for _ in range(evenings):
        round_id, film = await vote_tonight(store, ada)
        await picks.pick(await seat_of(store, ada), round_id, film)
        await mark_round_watched(await seat_of(store, ada), round_id)
    round_id, _film = await vote_tonight(store, ada)
    return round_id


async def vote_tonight(store: Store, ada: User) -> tuple[str, int]:
    """A round in which Ada has voted for a film."""
    seat = await seat_of(store, ada)
    made = await lifecycle.create_round(seat, Catalogue(), attendees=[seat.member_id])
    await lifecycle.start_voting(seat, made.round_id)
    film = (await load_round(seat, made.round_id)).films[0].film.tmdb_movie_id
    await votes.vote(seat, made.round_id, film, "up")
    return made.round_id, film


async def fill_shelf(store: Store, owner: User) -> str:
    """A library whose one collection does not fit on a page."""
    ctx = Context(store, owner, time.time())
    library_id = (await create_library(ctx, name="Home")).library_id
    kept = await create_collection(ctx, library_id, name="Foo")
    for number in range(55):
        book = {"title": f"Foo {number}", "collection_id": kept.collection_id}
        await add_item(ctx, library_id, kind=Book, given=book)
    return library_id


async def create_poll(store: Store) -> str:
    """A poll that anybody with its link can see."""
    visitor = ShareableVisitor(store, Passes(bytes(32)), time.time())
    return (await create_page(visitor, SUMMER, expires_after=7)).page.short_id


async def count(place: Place, browser: AsyncClient, path: str) -> int:
    """How many requests a view takes, once it is known who asks."""
    for _ in range(3):  # after the first visit to a room it is noted that they were there
        place.wire.requests.clear()
        answer = await browser.get(path)
        assert answer.status_code == 200, (path, answer.text)
    return place.wire.requests.total()


def documented() -> dict[str, tuple[int, int]]:
    """What the operator is told: by view, the requests of the page and of its JSON."""
    text = DOCUMENTED.read_text().partition("## Requests on DynamoDB")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([\w ]+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    return {name: (int(page), int(json)) for name, page, json in rows}


async def test_views_take_as_many_requests_as_the_operator_is_told(place: Place) -> None:
    here = await place.process()
    store = here.store
    ada, ben = await first(store, "Ada"), await someone(store, "Ben")
    round_id = await live_together(store, ada)
    library_id, theirs = await fill_shelf(store, ada), await fill_shelf(store, ben)
    await share(Context(store, ben, time.time()), theirs, "ada@example.org")
    short_id = await create_poll(store)
    household = f"/households/{(await seat_of(store, ada)).group_id}"
    secret = await sessions.open_session(store, time.time(), ada)
    pages = await here.browser(secret)
    json = await here.browser(secret, "application/json")
    counted = {
        name: (await count(place, pages, page), await count(place, json, f"{API}{path}"))
        for name, page, path in (
            ("household home", "/movie-night", household),
            ("round", f"/movie-night/rounds/{round_id}", f"{household}/rounds/{round_id}"),
            ("history", "/movie-night/history", f"{household}/rounds"),
            ("watched films", "/movie-night/history/films", f"{household}/watched"),
            ("shelf", f"/library/{library_id}", f"/libraries/{library_id}/items"),
            ("shared shelf", f"/library/{theirs}", f"/libraries/{theirs}/items"),
            ("poll", address_of(short_id), f"/shareables/{short_id}"),
        )
    }
    assert counted == documented()
    assert {name: max(counted[name]) <= limit for name, limit in LIMITS.items()} == dict.fromkeys(
        LIMITS, True
    )


async def test_home_takes_at_most_ten_whatever_is_up(place: Place) -> None:
    here = await place.process()
    store = here.store
    ada, ben = await first(store, "Ada"), await someone(store, "Ben")
    browser = await here.browser(await sessions.open_session(store, time.time(), ada))
    quiet = await count(place, browser, "/")
    await live_together(store, ada, evenings=1)
    await fill_shelves(store, ada, ben, 60)
    await fill_shelves(store, ben, ada, 60)
    await follow_lists(store, ada, 60)
    busy = await count(place, browser, "/")
    assert quiet <= busy <= 10
    assert "Home (`/`) takes at most 10" in DOCUMENTED.read_text()


async def test_a_household_of_an_earlier_version_takes_one_request_more(place: Place) -> None:
    here = await place.process()
    ada = await first(here.store, "Ada")
    await live_together(here.store, ada, evenings=0)
    browser = await here.browser(await sessions.open_session(here.store, time.time(), ada))
    told = await count(place, browser, "/movie-night")
    group = Household.at(group_id=(await seat_of(here.store, ada)).group_id)
    await here.store.write(update(group, member_ids=[]))
    assert await count(place, browser, "/movie-night") == told + 1


async def test_a_data_export_does_not_take_a_request_for_every_round(place: Place) -> None:
    here = await place.process()
    ada = await first(here.store, "Ada")
    await live_together(here.store, ada, evenings=1)
    browser = await here.browser(await sessions.open_session(here.store, time.time(), ada))
    few = await count(place, browser, f"{API}/me/export")
    for _ in range(60):
        round_id = (await seat_of(here.store, ada)).group.open_round_id
        assert round_id is not None
        await lifecycle.abandon(await seat_of(here.store, ada), round_id)
        await vote_tonight(here.store, ada)
    many = await count(place, browser, f"{API}/me/export")
    answer = (await browser.get(f"{API}/me/export")).json()
    evenings = answer["kept_elsewhere"]["movie_night"]["evenings"]
    assert [len(one["votes"]) for one in evenings] == [1] * 62
    # Sixty shortlists of up to ten films are read in hundreds.
    assert many - few <= 6


READ = "/library"
ADMINISTERING = [
    ("GET", "/admin/people"),
    ("GET", f"{API}/people"),
    ("POST", "/admin/invitations"),
    ("POST", f"{API}/invitations"),
]
CHANGING = [
    ("POST", f"{API}/households"),
    ("DELETE", f"{API}/libraries/any"),
    ("DELETE", f"{API}/me"),
    ("POST", "/me/security/password"),
    ("GET", f"{API}/me/export"),
]


class Known(NamedTuple):
    """Somebody whom two processes have recognised, and where something is about to happen."""

    store: Store
    here: AsyncClient
    there: AsyncClient
    ben: User


class TestSomebodyWhoIsRemembered:
    """Ada and Ben administer; two processes serve Ben, and have just recognised him."""

    @pytest.fixture
    async def known(self, place: Place, clock_of_guard: Clock) -> Known:
        one, other = await place.process(), await place.process()
        await first(one.store, "Ada")
        ben = await someone(one.store, "Ben")
        await administration.make_administrator(one.store, ben)
        secret = await sessions.open_session(one.store, clock_of_guard.now, ben)
        # A program's way to ask, so that a refusal is no redirect.
        here, there = [await at.browser(secret, "application/json") for at in (one, other)]
        for browser in (here, there):
            assert (await browser.get(READ)).status_code == 200
        return Known(one.store, here, there, ben)

    async def test_and_signed_out_is_out_at_once_in_that_process_and_elsewhere_within_ten_seconds(
        self, known: Known, clock_of_guard: Clock
    ) -> None:
        await sessions.end_all_sessions(known.store, known.ben)
        assert (await known.here.get(READ)).status_code == 401
        assert (await known.there.get(READ)).status_code == 200
        clock_of_guard.now += MAX_SECONDS
        assert (await known.there.get(READ)).status_code == 401

    async def test_and_made_a_household_is_in_it_everywhere(self, known: Known) -> None:
        made = await known.here.post(f"{API}/households", json={"name": "Home"})
        household = f"{API}/households/{made.json()['group_id']}"
        for path in ("/movie-night/household", household, f"{household}/rounds"):
            assert (await known.there.get(path)).status_code == 200

    @pytest.mark.parametrize("method, path", ADMINISTERING)
    async def test_and_no_longer_administers_can_do_nothing_of_it_anywhere(
        self, known: Known, method: str, path: str
    ) -> None:
        await administration.make_ordinary(known.store, known.ben)
        assert (await known.there.get(READ)).status_code == 200  # he is still remembered
        for browser in (known.there, known.here):
            assert (await browser.request(method, path)).status_code == 401

    @pytest.mark.parametrize("method, path", CHANGING)
    async def test_and_signed_out_changes_and_deletes_nothing_anywhere(
        self, known: Known, method: str, path: str
    ) -> None:
        await sessions.end_all_sessions(known.store, known.ben)
        assert (await known.there.get(READ)).status_code == 200
        for browser in (known.there, known.here):
            assert (await browser.request(method, path)).status_code == 401
