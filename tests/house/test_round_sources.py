"""Films of a round from shelves and lists: which are taken, and what whom is told of them."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest
from httpx import AsyncClient

from commonroom.accounts.tables import User
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library, share
from commonroom.library.service.loans import lend
from commonroom.library.tables import Library, Video
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.watched import mark_watched
from commonroom.store import Store, counting
from commonroom.titles.films import FilmFilter
from commonroom.watchlists.joins.film_sources import listed_films
from commonroom.watchlists.service.items import NewWatchlistItem, add_items
from commonroom.watchlists.service.lists import ListChange, ListDraft, change_list, create_list
from commonroom.watchlists.service.saves import follow_list
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of, home_of, likes
from tests.support.cinema import Cinema, cinema, words_of
from tests.support.context import at
from tests.support.fixtures import either

store = either

PADDINGTON, PADDINGTON_2, TOTORO, BABE, NEMO, MATRIX = 116149, 346648, 8392, 9598, 12, 603
ROUNDS = "/movie-night/rounds"


@pytest.fixture
def clock() -> Watch:
    """The time at which things are done: now, as pages live now."""
    watch = Watch()
    watch.now = time.time()
    return watch


class Family:
    """Ada and Ben in one household, who may see PG; and Eve, who lives elsewhere."""

    def __init__(self, house: Cinema, ada: User, ben: User, eve: User) -> None:
        self.house, self.ada, self.ben, self.eve = house, ada, ben, eve

    async def shelve(self, person: User, *films: int, **titles: int | None) -> Library:
        """A library of somebody's with films by number, or by title and year."""
        ctx = self.house.asks(person)
        library = await create_library(ctx, name="Discs")
        for number in films:
            film = await self.house.titles.films.film(number)
            given = {"title": film.title if film else "?", "tmdb_id": number}
            await add_item(ctx, library.library_id, kind=Video, given=given)
        for title, year in titles.items():
            given = {"title": title, "release_year": year}
            await add_item(ctx, library.library_id, kind=Video, given=given)
        return library

    async def make_list(self, person: User, *films: int, is_public: bool = False) -> Watchlist:
        """A list of somebody's."""
        ctx = self.house.asks(person)
        draft = ListDraft(title=f"What {person.display_name} hides", is_public=is_public)
        made = await create_list(ctx, draft, who_publishes="everybody")
        wanted = [NewWatchlistItem("MOVIE", str(one)) for one in films]
        await add_items(ctx, self.house.titles, made.watchlist_id, wanted)
        return made

    async def start(self, person: User, films_from: str = "") -> str:
        """The address of a round that somebody starts for Ada and Ben."""
        client = await self.house.client(person)
        ids = [self.ada.user_id, self.ben.user_id]
        answer = await client.post(ROUNDS, data={"attendees": ids, "films_from": films_from})
        assert answer.status_code == 303, words_of(answer)
        return str(answer.headers["location"])

    async def look(self, person: User, address: str) -> str:
        """What somebody reads of a round."""
        return words_of(await (await self.house.client(person)).get(address))

    async def films(self, address: str) -> list[int]:
        """Which films are in it."""
        return films_in((await (await self.house.client(self.ada)).get(address)).text)


def films_in(text: str) -> list[int]:
    """The films on a page, in order."""
    return [int(one) for one in re.findall(r'id="film-(\d+)"', text)]


@pytest.fixture
async def family(store: Store, tmp_path: Path, clock: Watch) -> AsyncIterator[Family]:
    """All of them."""
    async with cinema(store, tmp_path) as house:
        ada, ben, eve = [await house.person(one) for one in ("Ada", "Ben", "Eve")]
        await home_of(house.store, clock, ada, ben)
        for person in (ada, ben):
            await likes(house.store, clock, person)
        yield Family(house, ada, ben, eve)


class TestOnlyShelves:
    async def test_gives_what_is_there_new_and_suits_everybody(self, family: Family) -> None:
        library = await family.shelve(
            family.ada, PADDINGTON, TOTORO, BABE, NEMO, MATRIX, **{"Paddington 2": 2017}
        )
        ctx, now = family.house.asks(family.ada), time.time()
        seat = at(family.house.store, now, await context_of(family.house.store, family.ada))
        await mark_watched(seat, family.house.titles.films, TOTORO)
        lent = await add_item(
            ctx, library.library_id, kind=Video, given={"title": "Up", "tmdb_id": 14160}
        )
        await lend(ctx, library.library_id, lent.item.item_id, to="Tom")
        address = await family.start(family.ada, "shelves")

        # The Matrix is rated R, Totoro was watched, and Tom has Up.
        assert sorted(await family.films(address)) == sorted([PADDINGTON, PADDINGTON_2, BABE, NEMO])
        assert (await family.look(family.ada, address)).count("On your shelf") == 4

    async def test_takes_shelves_that_are_shared_and_no_others(self, family: Family) -> None:
        mine = await family.shelve(family.ben, NEMO)
        await family.shelve(family.ben, BABE)
        theirs = await family.shelve(family.eve, PADDINGTON)
        await share(family.house.asks(family.ben), mine.library_id, "ada@example.org")
        await share(family.house.asks(family.eve), theirs.library_id, "ada@example.org")
        address = await family.start(family.ada, "shelves")
        adas, bens = await family.look(family.ada, address), await family.look(family.ben, address)

        assert sorted(await family.films(address)) == [NEMO, PADDINGTON]
        assert ("On Ben’s shelf" in adas, "On Eve’s shelf" in adas) == (True, True)
        # Eve shares hers with Ada alone: Ben learns that it is on a shelf, and not on whose.
        assert ("On your shelf" in bens, "On a shelf" in bens, "Eve’s" in bens) == (
            True,
            True,
            False,
        )

    async def test_says_so_where_all_were_shown(self, family: Family) -> None:
        await family.shelve(family.ada, PADDINGTON, TOTORO, BABE)
        address = await family.start(family.ada, "shelves")
        assert sorted(await family.films(address)) == sorted([PADDINGTON, TOTORO, BABE])
        answer = await (await family.house.client(family.ada)).post(f"{address}/shuffle")

        assert answer.status_code == 409
        assert "no other films on your shelves that suit everyone" in words_of(answer)
        assert len(await family.films(address)) == 3, "what was there stays"

    async def test_goes_on_through_all_of_them_before_any_comes_back(self, family: Family) -> None:
        found = await family.house.titles.films.discover(FilmFilter(ceiling="PG"), frozenset())
        await family.shelve(family.ada, *(one.tmdb_movie_id for one in found[:20]))
        address, shown = await family.start(family.ada, "shelves"), set[int]()
        adas = await family.house.client(family.ada)
        for _ in range(3):
            now = await family.films(address)
            assert shown.isdisjoint(now)
            shown.update(now)
            await adas.post(f"{address}/shuffle")

        assert shown == {one.tmdb_movie_id for one in found[:20]}
        assert await family.films(address), "and then it begins again"

    async def test_says_so_where_there_is_none(self, family: Family) -> None:
        await family.shelve(family.ada, MATRIX)
        adas = await family.house.client(family.ada)
        answer = await adas.post(
            ROUNDS, data={"attendees": [family.ada.user_id], "films_from": "shelves"}
        )

        assert answer.status_code == 409
        assert "No film on your shelves suits everyone who is watching." in words_of(answer)

    async def test_of_many_titles_takes_no_more_requests(self, family: Family) -> None:
        library = await family.shelve(family.ada, PADDINGTON, TOTORO, BABE, NEMO)
        adas = await family.house.client(family.ada)

        async def requests() -> int:
            address = await family.start(family.ada, "shelves")
            await adas.post(f"{address}/abandon")
            with counting() as tally:
                address = await family.start(family.ada, "shelves")
            await adas.post(f"{address}/abandon")
            return tally.requests

        for _ in range(3):  # rounds of the past cost a request each, up to so many
            few = await requests()
        ctx = family.house.asks(family.ada)
        for number in range(150):
            given = {"title": f"Home video {number}", "tmdb_id": 900_000 + number}
            await add_item(ctx, library.library_id, kind=Video, given=given)

        assert await requests() <= few


class TestAnywhere:
    async def test_a_disc_on_the_shelf_is_as_good_as_a_service(self, family: Family) -> None:
        before = await family.start(family.ada)
        first = await family.films(before)
        adas = await family.house.client(family.ada)
        await adas.post(f"{before}/abandon")
        await family.shelve(family.ada, first[-1])
        address = await family.start(family.ada)

        assert (await family.films(address))[0] == first[-1]
        assert "On your shelf" in await family.look(family.ada, address)
        bens = await family.look(family.ben, address)
        assert ("On a shelf" in bens, "Ada’s" in bens) == (True, False)

    async def test_what_is_lent_counts_for_nothing_and_is_said_to_its_owner(
        self, family: Family
    ) -> None:
        before = await family.start(family.ada)
        first = await family.films(before)
        adas = await family.house.client(family.ada)
        await adas.post(f"{before}/abandon")
        library = await family.shelve(family.ada)
        ctx = family.house.asks(family.ada)
        film = await family.house.titles.films.film(first[-1])
        assert film is not None
        given = {"title": film.title, "tmdb_id": film.tmdb_id}
        saved = await add_item(ctx, library.library_id, kind=Video, given=given)
        await lend(ctx, library.library_id, saved.item.item_id, to="Tom")
        address = await family.start(family.ada)

        assert await family.films(address) == first
        assert "Lent to Tom" in await family.look(family.ada, address)
        bens = await family.look(family.ben, address)
        assert ("Tom" in bens, "Lent" in bens, "a shelf" in bens) == (False, False, False)
        shown = (await api_round(adas, family, address))["films"]
        assert "lent" not in str(shown)

    async def test_a_few_come_from_lists(self, family: Family) -> None:
        await family.make_list(family.ada, PADDINGTON, PADDINGTON_2, BABE)
        address = await family.start(family.ada)
        shown = await family.look(family.ada, address)

        assert shown.count("From a list of yours") == 2
        assert 5 <= len(await family.films(address)) <= 8


async def api_round(client: AsyncClient, family: Family, address: str) -> dict[str, list[object]]:
    """A round as programs see it."""
    home = (await context_of(family.house.store, family.ada)).group_id
    path = f"/api/v1/households/{home}/rounds/{address.rpartition('/')[2]}"
    found: dict[str, list[object]] = (await client.get(path)).json()
    return found


class TestOnlyLists:
    @pytest.mark.parametrize("who, is_told", [("ada", True), ("ben", False)])
    async def test_a_private_one_is_named_to_its_owner_alone(
        self, family: Family, who: str, is_told: bool
    ) -> None:
        made = await family.make_list(family.ada, PADDINGTON, BABE)
        address = await family.start(family.ada, "lists")
        client = await family.house.client(getattr(family, who))
        shown = words_of(await client.get(address))

        assert sorted(await family.films(address)) == sorted([PADDINGTON, BABE])
        assert ("From a list of yours" in shown) is is_told
        assert "hides" not in shown
        for answer in (await client.get(address), await api_round(client, family, address)):
            text = answer.text if hasattr(answer, "text") else str(answer)
            assert made.watchlist_id not in text

    async def test_what_others_keep_private_stays_so(self, family: Family) -> None:
        hidden = await family.make_list(family.ben, PADDINGTON)
        await family.make_list(family.ben, BABE, is_public=True)
        address = await family.start(family.ada, "lists")

        assert await family.films(address) == [BABE]
        assert "From ben’s list" in await family.look(family.ada, address)
        assert hidden.watchlist_id not in await family.look(family.ada, address)

    async def test_one_that_is_followed_counts_until_it_turns_private(self, family: Family) -> None:
        followed = await family.make_list(family.eve, PADDINGTON, BABE, is_public=True)
        await follow_list(family.house.asks(family.ada), followed.watchlist_id)
        address = await family.start(family.ada, "lists")
        assert "From eve’s list" in await family.look(family.ben, address)
        ctx = family.house.asks(family.eve)
        await change_list(
            ctx, followed.watchlist_id, ListChange(is_public=False), who_publishes="everybody"
        )
        for person in (family.ada, family.ben):
            shown = await family.look(person, address)
            assert ("eve’s" in shown, "From a list" in shown) == (False, True)

    async def test_of_many_take_no_more_requests(self, family: Family) -> None:
        for _ in range(5):
            await family.make_list(family.ada, PADDINGTON, BABE)
        ctx = family.house.asks(family.ada)
        with counting() as few:
            await listed_films(ctx, [family.ada.user_id, family.ben.user_id])
        for _ in range(8):
            await family.make_list(family.ben, TOTORO, NEMO, is_public=True)
            await family.make_list(family.ada, PADDINGTON, TOTORO, BABE, NEMO)
        with counting() as many:
            found = await listed_films(ctx, [family.ada.user_id, family.ben.user_id])

        # Whom they follow, what each of two made, these as they are now, and what is on five.
        assert (few.requests <= 9, many.requests) == (True, 9)
        assert len({one.list_id for one in found}) == 5

    async def test_can_be_asked_for_by_programs(self, family: Family) -> None:
        await family.make_list(family.ada, PADDINGTON, BABE)
        home = (await context_of(family.house.store, family.ada)).group_id
        adas = await family.house.client(family.ada)
        answer = await adas.post(f"/api/v1/households/{home}/rounds", json={"films_from": "lists"})
        shown = answer.json()["films"]

        assert {one["tmdb_movie_id"] for one in shown} == {PADDINGTON, BABE}
        assert all("from_list" in one["reasons"] for one in shown)
        wrong = await adas.post(f"/api/v1/households/{home}/rounds", json={"films_from": "moon"})
        assert wrong.status_code == 422

    async def test_a_child_keeps_the_ceiling(self, family: Family) -> None:
        seat = await context_of(family.house.store, family.ada)
        child = await add_managed(at(family.house.store, time.time(), seat), display_name="Lea")
        await family.make_list(family.ada, PADDINGTON, MATRIX)
        adas = await family.house.client(family.ada)
        ids = [family.ada.user_id, family.ben.user_id, child.user_id]
        answer = await adas.post(ROUNDS, data={"attendees": ids, "films_from": "lists"})

        assert films_in((await adas.get(answer.headers["location"])).text) == [PADDINGTON]


@pytest.mark.parametrize(
    "closed, offered",
    [("library", ["lists"]), ("watchlists", ["shelves"]), ("hangouts", ["shelves", "lists"])],
)
async def test_a_room_that_is_switched_off_offers_nothing(
    embedded: Store, tmp_path: Path, clock: Watch, closed: str, offered: Iterable[str]
) -> None:
    rooms = {"movienight", "library", "shareables", "watchlists", "hangouts"} - {closed}
    async with cinema(embedded, tmp_path, rooms=",".join(sorted(rooms))) as house:
        ada = await house.person("Ada")
        await home_of(house.store, clock, ada)
        await likes(house.store, clock, ada)
        client = await house.client(ada)
        page = (await client.get(f"{ROUNDS}/new")).text
        assert re.findall(r'name="films_from" value="(\w+)"', page) == list(offered)
        for films_from in {"shelves", "lists"}.difference(offered):
            data = {"attendees": ada.user_id, "films_from": films_from}
            assert (await client.post(ROUNDS, data=data)).status_code == 409
        answer = await client.post(ROUNDS, data={"attendees": ada.user_id})
        assert answer.status_code == 303
