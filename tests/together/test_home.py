"""Home: what waits for a person, tonight, first steps, rooms to discover; and what fails."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service import signup
from commonroom.accounts.service.first_steps import note_used_room
from commonroom.accounts.tables import User
from commonroom.house.consumers import data_consumers
from commonroom.house.rooms import ROOMS
from commonroom.house.rooms_in_use import use_consumer
from commonroom.http.authentication import ACTING_COOKIE
from commonroom.http.request import Request
from commonroom.joins.home import HomeCard, HomeFind, HomePart, HomeSource, card_key
from commonroom.joins.rooms import Room
from commonroom.library.room import LIBRARY
from commonroom.library.service.libraries import create_library, delete_library
from commonroom.moments import iso
from commonroom.movienight.service.rounds import votes
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.settings import Settings
from commonroom.store import Store, update
from commonroom.store.streams import Worker
from commonroom.together import home
from tests.house.whole import Whole, whole
from tests.support.pages import said, text
from tests.together.evenings import (
    live_together,
    move_in,
    open_vote,
    pick_film,
    seat_of,
    watch_film,
)

IN_PLACE = {"hx-request": "true"}
PICNIC = {"name": "Picnic", "items": [{"name": "Bread"}]}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    """A house where Ada lives."""
    async with whole(tmp_path) as made:
        yield made


@pytest.fixture
async def ada(house: Whole) -> AsyncClient:
    """Ada's browser."""
    return await house.browser()


async def follow_uses(house: Whole) -> None:
    """Lets the house notice what is in use by now."""
    await Worker(house.store, [use_consumer(ROOMS)]).drain()


async def follow_all(house: Whole) -> None:
    """Lets all follow that follows from a change."""
    while await Worker(house.store, data_consumers(Settings())).drain():
        pass


async def rooms_of(house: Whole) -> list[str]:
    """The rooms that hold something of Ada's, as her account knows."""
    kept = await house.store.get(house.ada.ref)
    assert kept is not None
    return kept.opened_rooms


async def page_of(browser: AsyncClient) -> str:
    """What somebody reads on their home."""
    answer = await browser.get("/")
    assert answer.status_code == 200
    main = answer.text.partition('id="home"')[2].partition("</live-part>")[0]
    return text(type("Part", (), {"text": f"<p {main}"})())


class TestANewcomer:
    async def test_is_led_through_the_first_steps(self, ada: AsyncClient) -> None:
        page = await page_of(ada)
        assert page.index("First steps") < page.index("Rooms to discover")
        for step in ("Set your time zone", "Invite someone", "Add a child"):
            assert step in page

    async def test_is_led_to_a_household_a_group_a_shelf_and_a_list(
        self, house: Whole, ada: AsyncClient
    ) -> None:
        steps = ("Start a household", "Start a group", "Put a book on your shelf", "Start a list")
        page = await page_of(ada)
        for step in steps:
            assert step in page
        assert page.count("Groups of friends turn an idea into a plan.") == 0, "it is a step"
        for path in ("/movie-night", "/groups/new", "/library/first/add", "/watchlists/new"):
            assert (await ada.get(path)).status_code == 200, path
        page = await page_of(ada)
        for step in steps:
            assert step in page, "to have looked is not to have begun"
        await ada.post("/groups/new", data={"group_name": "Film friends"})
        await follow_uses(house)
        assert "Start a group" not in await page_of(ada)

    async def test_can_put_them_aside(self, ada: AsyncClient) -> None:
        answer = await ada.post("/home/steps")
        assert answer.headers["location"] == "/"
        assert said(await ada.get("/")) != ""
        assert "First steps" not in await page_of(ada)

    async def test_is_none_after_two_weeks(self, house: Whole, ada: AsyncClient) -> None:
        long_ago = iso(time.time() - 15 * 24 * 3600)
        await house.store.write(update(house.ada.ref, created_at=long_ago))
        page = await page_of(ada)
        assert "First steps" not in page
        assert "All is quiet" not in page, "nothing is there yet"
        assert "Make yourself at home" in page
        await ada.post("/library", data={"library_name": "Attic"})
        await follow_uses(house)
        page = await page_of(ada)
        assert "All is quiet" in page


class TestRoomsToDiscover:
    async def test_are_those_that_hold_nothing_of_hers(
        self, house: Whole, ada: AsyncClient
    ) -> None:
        await ada.post("/home/steps")
        words = "Groups of friends turn an idea into a plan."
        assert (await ada.get("/hangouts")).status_code == 200
        assert words in await page_of(ada), "to have looked is not to have begun"
        for name in ("Film friends", "Climbing"):
            await ada.post("/groups/new", data={"group_name": name})
            await follow_uses(house)
        assert words not in await page_of(ada)
        kept = await house.store.get(house.ada.ref)
        assert kept is not None
        assert kept.opened_rooms == ["hangouts"]

    async def test_a_household_a_list_and_a_shared_page_count(
        self, house: Whole, ada: AsyncClient
    ) -> None:
        await ada.post("/movie-night/household", data={"name": "Home"})
        await ada.post("/watchlists/new", data={"title": "Rainy days", "visibility": "private"})
        made = await ada.post(
            "/api/v1/shareables/checklists", json={"name": "Picnic", "items": [{"name": "Bread"}]}
        )
        assert made.status_code == 201, made.text
        for _ in range(2):
            await follow_uses(house)
        kept = await house.store.get(house.ada.ref)
        assert kept is not None
        assert sorted(kept.opened_rooms) == ["movienight", "shareables", "watchlists"]

    @pytest.mark.parametrize(
        "key, address, body, named",
        [
            ("hangouts", "groups", {"group_name": "Climbing"}, "group_id"),
            ("library", "libraries", {"library_name": "Attic"}, "library_id"),
            ("movienight", "households", {"name": "Home"}, "group_id"),
            ("shareables", "shareables/checklists", PICNIC, "short_id"),
            ("watchlists", "watchlists", {"title": "Rainy days"}, "watchlist_id"),
        ],
    )
    async def test_are_those_again_from_which_the_last_thing_has_gone(
        self,
        house: Whole,
        ada: AsyncClient,
        *,
        key: str,
        address: str,
        body: dict[str, Any],
        named: str,
    ) -> None:
        made = []
        for _ in range(1 if key == "movienight" else 2):
            answer = await ada.post(f"/api/v1/{address}", json=body)
            assert answer.status_code == 201, answer.text
            told = answer.json()
            shown = told.get("page", told)
            made.append(f"/api/v1/{address.partition('/')[0]}/{shown[named]}")
        for one in made:
            await follow_all(house)
            assert await rooms_of(house) == [key]
            gone = await ada.delete(one, params={"name": "Home"} if key == "movienight" else {})
            assert gone.status_code == 204, gone.text
        await follow_all(house)
        assert await rooms_of(house) == []

    async def test_is_none_that_gets_something_new_while_the_last_thing_goes(
        self, house: Whole
    ) -> None:
        ctx = Context(house.store, house.ada, time.time())
        old = await create_library(ctx, name="Attic")
        await follow_uses(house)
        await delete_library(ctx, old.library_id)
        use = LIBRARY.data.use
        assert use is not None
        looked: list[bool] = []

        async def is_used_by(store: Store, user_id: str) -> bool:
            looked.append(await use.is_used_by(store, user_id))
            if len(looked) == 1:  # it is made, and noted, before the room is forgotten
                await create_library(ctx, name="Cellar")
                await note_used_room(store, user_id, "library")
            return looked[-1]

        data = replace(LIBRARY.data, use=replace(use, is_used_by=is_used_by))
        consumer = use_consumer([replace(LIBRARY, data=data)])
        await Worker(house.store, [consumer]).drain()
        assert looked == [False, True]
        assert await rooms_of(house) == ["library"]


class TestAMovieNight:
    async def test_waits_for_a_vote_until_it_is_given(self, house: Whole, ada: AsyncClient) -> None:
        (zoe,) = await live_together(house.store, house.ada)
        round_id = await open_vote(house.store, house.ada)
        page = await ada.get("/")
        assert "Vote for tonight’s film" in text(page)
        assert f'href="/movie-night/rounds/{round_id}"' in page.text
        await vote_of(house, house.ada, round_id)
        assert f"{zoe.display_name} can still vote" in await page_of(ada)

    async def test_says_that_the_votes_are_in_to_who_started_it(
        self, house: Whole, ada: AsyncClient
    ) -> None:
        await live_together(house.store, house.ada, children=0)
        round_id = await open_vote(house.store, house.ada)
        assert "The votes are in" not in await page_of(ada)
        await vote_of(house, house.ada, round_id)
        page = await ada.get("/")
        assert "The votes are in" in text(page)
        assert f'href="/movie-night/rounds/{round_id}"' in page.text
        await pick_film(house.store, house.ada, round_id)
        assert "The votes are in" not in await page_of(ada)

    async def test_says_that_the_votes_are_in_to_the_creator_and_to_all_who_watch(
        self, house: Whole, ada: AsyncClient
    ) -> None:
        await live_together(house.store, house.ada, children=0)
        ben, cleo = [await moves_in(house, name) for name in ("Ben", "Cleo")]
        round_id = await open_vote(house.store, ben, [ben.user_id, cleo.user_id])
        for voter in (ben, cleo):
            assert "The votes are in" not in await page_of(ada)
            await vote_of(house, voter, round_id)
        for browser in (ada, await house.browser_of(ben), await house.browser_of(cleo)):
            page = await browser.get("/")
            assert "The votes are in" in text(page)
            assert f'href="/movie-night/rounds/{round_id}"' in page.text
        dora = await moves_in(house, "Dora")
        assert "The votes are in" not in await page_of(await house.browser_of(dora))

    async def test_has_a_film_that_is_marked_as_watched_and_rated_on_home(
        self, house: Whole, ada: AsyncClient
    ) -> None:
        await live_together(house.store, house.ada, children=0)
        round_id = await open_vote(house.store, house.ada)
        title = await pick_film(house.store, house.ada, round_id)
        assert f"Tonight’s film {title}" in await page_of(ada)
        here = f"/movie-night/rounds/{round_id}"
        assert (await ada.post(f"{here}/watched", data={"home": "tonight"})).headers[
            "location"
        ] == "/"
        assert f"How was it? {title}" in await page_of(ada)
        rated = await ada.post(f"{here}/rate", data={"rating": "loved", "home": "rate"})
        assert rated.headers["location"] == "/"
        assert title not in await page_of(ada)

    async def test_is_rated_in_place_where_scripts_run(
        self, house: Whole, ada: AsyncClient
    ) -> None:
        (zoe,) = await live_together(house.store, house.ada)
        round_id, _title = await watch_film(house.store, house.ada)
        key = card_key("rate", round_id, zoe.user_id)
        page = await ada.get("/")
        assert f'hx-target="#{key}"' in page.text
        answer = await ada.post(
            f"/movie-night/rounds/{round_id}/rate",
            data={"rating": "liked", "home": key, "member_id": zoe.user_id},
            headers=IN_PLACE,
        )
        assert answer.status_code == 200
        assert f'id="{key}" data-stays' in answer.text
        assert "Rated: liked it." in text(answer)
        left = await ada.get("/")
        assert (zoe.display_name in text(left), "How was it?" in text(left)) == (False, True)

    async def test_shows_a_child_what_they_may_vote_on_and_nothing_else(
        self, house: Whole, ada: AsyncClient
    ) -> None:
        (zoe,) = await live_together(house.store, house.ada)
        await open_vote(house.store, house.ada)
        ada.cookies.set(ACTING_COOKIE, zoe.user_id, domain="commonroom.test")
        page = await page_of(ada)
        assert "Vote for tonight’s film" in page
        assert not any(part in page for part in ("First steps", "Rooms to discover"))


async def moves_in(house: Whole, name: str) -> User:
    """Somebody who joins Ada's household."""
    new = signup.NewAccount(f"{name.lower()}@example.org", name, "a lamp in the hall")
    person = await signup.sign_up(house.store, time.time(), "open", new)
    await move_in(house.store, house.ada, person)
    return person


async def vote_of(house: Whole, person: User, round_id: str) -> None:
    """Somebody's vote."""
    seat = await seat_of(house.store, person)
    film = (await load_round(seat, round_id)).films[0].film.tmdb_movie_id
    await votes.vote(seat, round_id, film, "up")


def room_with(find: Any, **declared: Any) -> Room:
    """A room that has this to say on home."""
    source = HomeSource(find=find, **declared)
    return Room(key="library", name="Cellar", sentence="What is below.", offers=[source])


async def find_wine(_request: Request) -> HomeFind:
    """A card about a bottle."""
    card = HomeCard(key="wine", icon="library", title="Turn the bottles", address="/cellar")
    return HomeFind(lambda _: HomePart(needs=[card]))


class TestARoomThatFails:
    @pytest.mark.parametrize("how", ["raises", "is slow", "cannot show"])
    async def test_takes_nothing_else_away(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
    ) -> None:
        monkeypatch.setattr(home, "_patience", lambda _request: 0.01)  # as on DynamoDB

        async def fail(_request: Request) -> HomeFind:
            if how == "raises":
                raise RuntimeError
            if how == "is slow":
                await asyncio.sleep(5)
            return HomeFind(lambda _: 1 / 0)  # type: ignore[arg-type, return-value]

        broken = replace(room_with(fail), key="hangouts", name="Attic")
        async with whole(tmp_path, of_rooms=(broken, room_with(find_wine))) as house:
            page = await page_of(await house.browser())
        assert "Turn the bottles" in page
        assert "Attic could not be read just now" in page

    async def test_is_not_asked_for_where_it_is_switched_off(self, tmp_path: Path) -> None:
        async with whole(tmp_path, rooms="library") as house:
            await live_together(house.store, house.ada)
            await open_vote(house.store, house.ada)
            page = await page_of(await house.browser())
        assert "Vote" not in page
        assert "could not be read" not in page


def test_a_card_has_a_key_that_is_safe_as_an_id() -> None:
    assert card_key("loan", "a b#c", "Ä1") == "loan-a-b-c--1"
    assert {room.key for room in ROOMS if room.offered(HomeSource)} >= {"movienight"}
