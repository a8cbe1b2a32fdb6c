"""One film, one page: what each room adds to it, for whom, and for how many requests."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient, Response

from commonroom.accounts.tables import User
from commonroom.house.rooms import ROOMS
from commonroom.http.authentication import ACTING_COOKIE
from commonroom.library.rules.names import new_id
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library, share, unshare
from commonroom.library.service.loans import lend
from commonroom.library.service.search_cache import SearchCache
from commonroom.library.tables import Library, Video, owner_id_of
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.rounds.lifecycle import abandon, create_round, start_voting
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.movienight.service.rounds.votes import propose, rate, vote
from commonroom.movienight.service.watched import mark_watched
from commonroom.movienight.service.wishes import add_wish
from commonroom.store import Store
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.facets import refresh_facets
from commonroom.watchlists.service.items import NewWatchlistItem, add_items
from commonroom.watchlists.service.lists import ListDraft, create_list
from commonroom.watchlists.service.ratings import rate as rate_title
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of, home_of, likes
from tests.support.cinema import Cinema, cinema, requests_for, words_of
from tests.support.context import at
from tests.support.fixtures import either
from tests.support.tmdb import KEY, film, standing_in

store = either

PADDINGTON = 116149
HERE = f"/films/{PADDINGTON}"
FILM = TitleId("MOVIE", str(PADDINGTON))


@pytest.fixture
def clock() -> Watch:
    """The time at which things are done: now, as pages live now."""
    watch = Watch()
    watch.now = time.time()
    return watch


@pytest.fixture
async def house(store: Store, tmp_path: Path) -> AsyncIterator[Cinema]:
    """The whole house."""
    async with cinema(store, tmp_path) as made:
        yield made


class Family:
    """Ada and Ben in one household, and Eve, who is a friend of Ada's."""

    def __init__(self, house: Cinema, clock: Watch, ada: User, ben: User, eve: User) -> None:
        self.house, self.clock, self.ada, self.ben, self.eve = house, clock, ada, ben, eve

    async def shelve(
        self, person: User, name: str = "Discs", **fields: object
    ) -> tuple[Library, Video]:
        """Somebody has the film in a new library."""
        ctx = self.house.asks(person)
        library = await create_library(ctx, name=name)
        given = {"title": "Paddington", "tmdb_id": PADDINGTON} | fields
        saved = await add_item(ctx, library.library_id, kind=Video, given=given)
        assert isinstance(saved.item, Video)
        return library, saved.item

    async def look(self, person: User | None = None) -> str:
        """What somebody reads on the film's page."""
        answer = await (await self.house.client(person)).get(HERE)
        assert answer.status_code == 200
        return words_of(answer)


@pytest.fixture
async def family(house: Cinema, clock: Watch) -> Family:
    """All of them."""
    ada, ben, eve = [await house.person(one) for one in ("Ada", "Ben", "Eve")]
    await home_of(house.store, clock, ada, ben)
    for person in (ada, ben):
        await likes(house.store, clock, person)
    return Family(house, clock, ada, ben, eve)


async def send(client: AsyncClient, deed: str, **fields: str) -> Response:
    """A press of a button on the film's page."""
    return await client.post(f"{HERE}/{deed}", data=fields)


class TestGuests:
    async def test_see_facts_only(self, family: Family) -> None:
        library, item = await family.shelve(family.ada)
        await lend(family.house.asks(family.ada), library.library_id, item.item_id, to="Tom")
        shown = await family.look()

        assert "Nicole Kidman" in shown
        for private in ("household", "shelf", "Your lists", "Tom", "Add to", "Mark as"):
            assert private not in shown


class TestShelf:
    async def test_says_that_it_is_ones_own(self, family: Family) -> None:
        await family.shelve(family.ada, format="Blu-ray")

        assert "On your shelf: Discs , Blu-ray" in await family.look(family.ada)

    async def test_says_who_has_it_to_its_owner_alone(self, family: Family) -> None:
        library, item = await family.shelve(family.ada)
        ctx = family.house.asks(family.ada)
        await share(ctx, library.library_id, "eve@example.org")
        await lend(ctx, library.library_id, item.item_id, to="Tom", due="2033-01-31")
        own, shared = await family.look(family.ada), await family.look(family.eve)

        assert "Lent to Tom: Discs due on" in own
        assert "On Ada’s shelf, but not there right now: Discs" in shared
        assert "Tom" not in shared
        assert "2099" not in shared

    @pytest.mark.parametrize("who", ["ben", "eve"])
    async def test_of_others_is_nobodys_business_until_it_is_shared(
        self, family: Family, who: str
    ) -> None:
        person: User = getattr(family, who)
        library, _item = await family.shelve(family.ada)
        ctx = family.house.asks(family.ada)
        assert "Ada’s shelf" not in await family.look(person)
        await share(ctx, library.library_id, f"{who}@example.org")
        assert "On Ada’s shelf: Discs" in await family.look(person)
        await unshare(ctx, library.library_id, owner_id_of(person.user_id))
        assert "Ada’s shelf" not in await family.look(person)

    @pytest.mark.parametrize(
        "fields, is_it",
        [
            ({"tmdb_id": None}, True),
            ({"tmdb_id": None, "title": "PADDÍNGTON", "release_year": 2014}, True),
            ({"tmdb_id": None, "release_year": 2015}, True),
            ({"tmdb_id": None, "release_year": 1975}, False),
            ({"tmdb_id": 603}, False),
            ({"title": "The bear from Peru"}, True),
            ({"tmdb_id": None, "title": "Paddington 2"}, False),
        ],
    )
    async def test_has_it_by_number_or_else_by_title_and_year(
        self, family: Family, fields: dict[str, Any], is_it: bool
    ) -> None:
        await family.shelve(family.ada, **fields)

        assert ("On your shelf" in await family.look(family.ada)) is is_it

    async def test_takes_it_by_one_press_once(self, family: Family) -> None:
        library = await create_library(family.house.asks(family.ada), name="Discs")
        adas, once = await family.house.client(family.ada), new_id()
        for _ in range(2):
            answer = await send(adas, "shelf", library_id=library.library_id, form_id=once)
            assert answer.headers["location"] == HERE
        shown = await family.look(family.ada)

        assert shown.count("On your shelf") == 1
        assert "Add to library" not in shown
        item = re.findall(r'href="(/library/[^"]+/items/[^"]+)"', (await adas.get(HERE)).text)
        page = await adas.get(item[0])
        assert "Paul King" in words_of(page)
        assert f'href="{HERE}"' in page.text

    async def test_of_others_takes_nothing(self, family: Family) -> None:
        library, _item = await family.shelve(family.ada)
        bens = await family.house.client(family.ben)

        assert (await send(bens, "shelf", library_id=library.library_id)).status_code == 404

    async def test_shows_a_film_that_nobody_else_knows(self, family: Family) -> None:
        await family.shelve(family.ada, title="Home video", tmdb_id=987_654)
        adas, bens = [await family.house.client(one) for one in (family.ada, family.ben)]

        assert "Home video" in words_of(await adas.get("/films/987654"))
        assert (await bens.get("/films/987654")).status_code == 404


class TestOwnLists:
    async def test_are_named_and_take_it(self, family: Family) -> None:
        ctx = family.house.asks(family.ada)
        first = await create_list(ctx, ListDraft(title="Rainy days", is_public=False))
        await create_list(ctx, ListDraft(title="Summer", is_public=False))
        adas = await family.house.client(family.ada)
        await send(adas, "list", watchlist_id=first.watchlist_id)
        answer = await adas.get(HERE)
        assert f'href="/lists/{first.watchlist_id}"' in answer.text
        assert '<option value="' in answer.text
        await send(adas, "unlist", watchlist_id=first.watchlist_id)
        assert "Not on your lists yet" in await family.look(family.ada)

    async def test_are_ones_own(self, family: Family) -> None:
        ctx = family.house.asks(family.ada)
        made = await create_list(ctx, ListDraft(title="Rainy days", is_public=False))
        await add_items(
            ctx, family.house.titles, made.watchlist_id, [NewWatchlistItem("MOVIE", "116149")]
        )
        bens = await family.house.client(family.ben)

        assert "Rainy days" not in await family.look(family.ben)
        assert (await send(bens, "list", watchlist_id=made.watchlist_id)).status_code == 404
        assert (await send(bens, "unlist", watchlist_id=made.watchlist_id)).status_code == 404


class TestHousehold:
    async def test_is_told_how_it_was_when_they_watched_it(self, family: Family) -> None:
        house, ada = family.house, family.ada
        now, films = time.time(), house.titles.films
        seat = at(house.store, now, await context_of(house.store, ada))
        made = await create_round(seat, films)
        await start_voting(seat, made.round_id)
        adas = await house.client(ada)
        answer = await send(adas, "propose")
        if answer.status_code == 409:
            pytest.fail("it was on the shortlist by itself")
        assert answer.headers["location"] == f"/movie-night/rounds/{made.round_id}"
        assert "Go to the vote" in await family.look(family.ben)
        assert "In the current vote" in await family.look(family.ben)
        seat = at(house.store, now, await context_of(house.store, ada))
        await pick(seat, made.round_id, PADDINGTON, even_if_votes_are_missing=True)
        await mark_watched(seat, films, PADDINGTON)
        await rate(seat, made.round_id, "loved")
        shown = await family.look(family.ben)

        assert "Watched on" in shown
        assert "Ada loved it." in shown
        assert "household" not in await family.look(family.eve)

    async def test_proposes_only_where_a_round_takes_it(self, family: Family) -> None:
        adas = await family.house.client(family.ada)
        assert "Propose for movie night" not in await family.look(family.ada)
        answer = await send(adas, "propose")
        assert answer.status_code == 409
        assert "No movie night is open" in words_of(answer)

    async def test_of_a_child_keeps_the_ceiling(self, family: Family) -> None:
        house, ada = family.house, family.ada
        seat = await context_of(house.store, ada)
        child = await add_managed(at(house.store, time.time(), seat), display_name="Lea")
        seat = at(house.store, time.time(), await context_of(house.store, ada))
        made = await create_round(seat, house.titles.films)
        await start_voting(seat, made.round_id)
        leas = await house.client(ada)
        leas.cookies.set(ACTING_COOKIE, child.user_id, domain="house.example")
        # The Matrix is rated R, and Lea may see PG.
        answer = await leas.post("/films/603/propose")

        assert answer.status_code == 409
        assert "too high" in words_of(answer)
        shown = words_of(await leas.get(HERE))
        assert "In your household" in shown
        for own in ("Your lists", "Your opinion", "Add to library"):
            assert own not in shown
        there = await load_round(await context_of(house.store, ada), made.round_id)
        assert 603 not in {one.film.tmdb_movie_id for one in there.films}


DOCUMENTED = Path(__file__).parents[2] / "docs" / "operating.md"
SECTIONS = (
    *("In your household", "Earlier votes", "On your shelf", "On Eve’s shelf"),
    *("Your lists", "On these lists", "Rainy days", "Sunny days", "Good."),
)
REQUESTS = {"dynamodb": 6, "embedded": 15}
"""Once it is known who asks and what is on the shelves; the embedded engine reads in a row."""


async def vote_tonight(family: Family, ask: str) -> None:
    """The household votes on the film, and abandons the round where that is asked for."""
    house, films = family.house, family.house.titles.films
    seat = at(house.store, time.time(), await context_of(house.store, family.ada))
    made = await create_round(seat, films)
    await start_voting(seat, made.round_id)
    if PADDINGTON not in {
        one.film.tmdb_movie_id for one in (await load_round(seat, made.round_id)).films
    }:
        await propose(seat, films, made.round_id, PADDINGTON)
    await vote(seat, made.round_id, PADDINGTON, "up")
    if ask == "abandon":
        await abandon(seat, made.round_id)


async def publish(family: Family, person: User, title: str) -> None:
    """Somebody publishes a list with the film on it."""
    ctx = family.house.asks(person)
    listed = await create_list(
        ctx, ListDraft(title=title, is_public=True), who_publishes="everybody"
    )
    await add_items(
        ctx, family.house.titles, listed.watchlist_id, [NewWatchlistItem("MOVIE", "116149")]
    )
    await refresh_facets(family.house.store, listed.watchlist_id)


async def shelve_for(family: Family, name: str) -> None:
    """Ada has the film in one more library, and sees it in one more of Eve's."""
    await family.shelve(family.ada, name)
    library, _item = await family.shelve(family.eve, name)
    await share(family.house.asks(family.eve), library.library_id, "ada@example.org")


class TestRequests:
    @pytest.fixture
    async def full(self, family: Family) -> Family:
        """A household that has something to show in every section, and shelves that stay known."""
        moment = time.time()
        cache = SearchCache(clock=lambda: moment)
        family.house.app.state.library_search_cache = cache
        seat = at(family.house.store, moment, await context_of(family.house.store, family.ada))
        await add_wish(seat, family.house.titles.films, PADDINGTON)
        await vote_tonight(family, "abandon")
        await shelve_for(family, "Discs")
        await publish(family, family.ada, "Rainy days")
        await publish(family, family.ben, "Sunny days")
        for person in (family.ada, family.ben):
            await rate_title(
                family.house.asks(person), family.house.titles, FILM, rating=8, review="Good."
            )
        return family

    async def test_are_six_on_dynamodb_with_every_section(self, full: Family) -> None:
        client = await full.house.client(full.ada)
        taken = await requests_for(client, HERE)
        shown = words_of(await client.get(HERE))

        for section in SECTIONS:
            assert section in shown
        assert taken == REQUESTS[full.house.store.engine.name]
        assert "film or show takes at most 6" in DOCUMENTED.read_text()

    async def test_stay_as_many_however_much_there_is(self, full: Family) -> None:
        for number in range(19):
            await vote_tonight(full, "abandon")
            await create_list(
                full.house.asks(full.ada), ListDraft(title=f"Own {number}", is_public=False)
            )
        for number in range(10):
            await shelve_for(full, f"Shelf {number}")
        for number in range(30):
            await publish(full, full.ada, f"List {number}")
        await vote_tonight(full, "go on")
        client = await full.house.client(full.ada)
        taken = await requests_for(client, HERE)

        assert "In the current vote" in words_of(await client.get(HERE))
        assert taken == REQUESTS[full.house.store.engine.name]

    async def test_are_as_many_for_a_film_of_tmdb(self, dynamodb: Store, tmp_path: Path) -> None:
        async with standing_in() as stand_in:
            stand_in.add(film(700_001, title="Only there", popularity=5))
            keyed = {"tmdb_key": KEY, "tmdb_address": stand_in.address, "region": "US"}
            async with cinema(dynamodb, tmp_path, **keyed) as house:
                client = await house.client(await house.person("Ben"))
                # Own lists, and what is read by key: there is no household, library or opinion.
                assert await requests_for(client, "/films/700001") == 2

    async def test_of_the_api_is_one(self, full: Family) -> None:
        client = await full.house.client(full.ada)

        assert await requests_for(client, f"/api/v1/titles{HERE}") == 1

    async def test_of_guests_are_those_of_the_title_and_its_public_lists(
        self, full: Family
    ) -> None:
        assert await requests_for(await full.house.client(), HERE) == 3


@pytest.mark.parametrize("closed", [room.key for room in ROOMS])
async def test_a_room_that_is_switched_off_leaves_no_trace(
    embedded: Store, tmp_path: Path, clock: Watch, closed: str
) -> None:
    opened = ",".join(room.key for room in ROOMS if room.key != closed)
    async with cinema(embedded, tmp_path, rooms=opened) as house:
        ada = await house.person("Ada")
        await home_of(house.store, clock, ada)
        client = await house.client(ada)
        answer = await client.get(HERE)
        links = set(re.findall(r'(?:href|action)="(/[^"#?]*)', answer.text))
        gone = {"movienight": "household", "library": "shelf", "watchlists": "Your lists"}
        assert closed not in gone or gone[closed] not in words_of(answer)
        for link in sorted(links):
            assert (await client.get(unescape(link))).status_code != 404, link
