"""The page of a film or show: facts for everybody, opinions for those with an account."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from commonroom.accounts.tables import User
from commonroom.store import Store, create
from commonroom.titles.builtin import known_title
from commonroom.titles.stored_titles import claim_of, load_title, title_of
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.facets import refresh_facets
from commonroom.watchlists.service.items import NewWatchlistItem, add_items
from commonroom.watchlists.service.lists import ListDraft, create_list
from commonroom.watchlists.service.ratings import rate
from tests.support.cinema import Cinema, cinema, requests_for, words_of
from tests.support.tmdb import KEY, StandIn, film, show, standing_in

BREAKING_BAD = TitleId("SHOW", "1396")
MATRIX = TitleId("MOVIE", "603")
PICTURE = b"\xff\xd8\xff\xe0 a picture"


async def list_with(
    house: Cinema, person: User, title: str, film: TitleId, *, is_public: bool = True
) -> None:
    """A list of one title, found under it."""
    ctx = house.asks(person)
    draft = ListDraft(title=title, is_public=is_public)
    made = await create_list(ctx, draft, who_publishes="everybody")
    new = NewWatchlistItem(film.content_type, film.content_id)
    await add_items(ctx, house.titles, made.watchlist_id, [new])
    await refresh_facets(house.store, made.watchlist_id)


class TestForEverybody:
    async def test_a_show_has_its_facts(self, house: Cinema) -> None:
        answer = await (await house.client()).get("/shows/1396")
        said = words_of(answer)

        assert answer.status_code == 200
        for fact in (
            *("Breaking Bad", "2008–2013", "5 seasons", "62 episodes", "Created by"),
            *("Vince Gilligan", "Crime", "Bryan Cranston", "A chemistry teacher"),
        ):
            assert fact in said, fact

    async def test_a_film_has_its_facts(self, house: Cinema) -> None:
        said = words_of(await (await house.client()).get("/films/603"))

        for fact in ("The Matrix", "1999", "2 h 16 min", "Directed by", "Keanu Reeves"):
            assert fact in said, fact

    @pytest.mark.parametrize(
        "path",
        [
            "/films/1396000",
            "/shows/603000",
            "/films/nothing",
            "/shows/" + "x" * 200,
            "/films/%00",
            "/films/٣",
        ],
    )
    async def test_what_nobody_knows_is_not_found(self, house: Cinema, path: str) -> None:
        assert (await (await house.client()).get(path)).status_code == 404

    async def test_a_look_stores_nothing(self, house: Cinema, ben: User) -> None:
        for client in (await house.client(), await house.client(ben)):
            await client.get("/shows/1396")

        assert await load_title(house.store, BREAKING_BAD) is None

    async def test_guests_see_how_it_is_rated_and_not_by_whom(
        self, house: Cinema, ben: User
    ) -> None:
        ctx = house.asks(ben)
        await rate(ctx, house.titles, MATRIX, rating=7, review="Quite a ride.")
        said = words_of(await (await house.client()).get("/films/603"))

        assert "3.5 out of 5 stars 1 rating" in said
        assert "3½ stars: 1" in said
        assert "Quite a ride." not in said
        assert "Your opinion" not in said

    async def test_people_read_reviews_and_rate(self, house: Cinema, ada: User, ben: User) -> None:
        await rate(house.asks(ben), house.titles, MATRIX, rating=7, review="Quite a ride.")
        answer = await (await house.client(ada)).get("/films/603")

        assert "Quite a ride." in words_of(answer)
        assert 'action="/films/603/rate#opinion"' in answer.text

    async def test_a_title_has_one_address(self, house: Cinema) -> None:
        known = known_title(BREAKING_BAD)
        assert known is not None
        made = title_of(replace(known, content_id="made-by-hand"), 0.0, made_by="ada")
        await house.store.write(create(made), *claim_of(made))
        answer = await (await house.client()).get("/shows/1396")

        assert (answer.status_code, answer.headers["location"]) == (303, "/shows/made-by-hand")


class TestRequests:
    async def test_a_guests_look_is_one_and_one_more_for_lists_of_what_is_in_use(
        self, house: Cinema, ben: User
    ) -> None:
        await rate(house.asks(ben), house.titles, MATRIX, rating=7, review="Quite a ride.")
        guest = await house.client()

        assert await requests_for(guest, "/films/603") == 2
        assert await requests_for(guest, "/shows/1396") == 1

    async def test_a_persons_look_is_five_then_one_for_lists_and_two_for_reviews(
        self, house: Cinema, ada: User, ben: User
    ) -> None:
        adas = await house.client(ada)
        before = await requests_for(adas, "/films/603")
        for number in range(12):
            person = await house.person(f"Person{number}")
            await rate(house.asks(person), house.titles, MATRIX, rating=7, review="Quite a ride.")

        assert (before, await requests_for(adas, "/films/603")) == (5, 8)


class TestListsThatHoldIt:
    async def test_everybody_sees_public_ones_and_nobody_private_ones(
        self, house: Cinema, ada: User, ben: User
    ) -> None:
        await list_with(house, ada, "Held for all", MATRIX)
        await list_with(house, ada, "Held in secret", MATRIX, is_public=False)
        for client in (await house.client(), await house.client(ben)):
            said = words_of(await client.get("/films/603"))
            assert "On these lists" in said
            assert "Held for all" in said
            assert "Held in secret" not in said

        assert "On these lists" not in words_of(await (await house.client()).get("/shows/1396"))

    async def test_they_go_on_where_they_end_and_cost_two_requests(
        self, house: Cinema, ada: User
    ) -> None:
        guest = await house.client()
        await list_with(house, ada, "List 0", MATRIX)
        before = await requests_for(guest, "/films/603")
        for number in range(1, 9):
            await list_with(house, ada, f"List {number}", MATRIX)
        assert await requests_for(guest, "/films/603") == before == 3
        first = (await guest.get("/films/603")).text
        onward = unescape(re.findall(r'href="(\?lists=[^"]+)"', first)[0])
        both = first + (await guest.get(f"/films/603{onward}")).text

        assert sorted(set(re.findall(r"List \d", both))) == [f"List {one}" for one in range(9)]


class TestLinkPreview:
    async def test_the_page_says_what_a_link_shows(self, house: Cinema) -> None:
        text = (await (await house.client()).get("/shows/1396")).text
        found = dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', text))

        assert found["og:title"] == "Breaking Bad (2008–2013)"
        assert found["og:type"] == "video.tv_show"
        assert found["og:url"] == "http://house.example/shows/1396"
        assert found["og:image"] == "http://house.example/shows/1396/preview.png"
        assert found["og:description"].startswith("A chemistry teacher")

    @pytest.mark.parametrize("path", ["/shows/1396", "/films/603", "/films/8392"])
    async def test_the_picture_is_drawn_in_the_size_that_others_expect(
        self, house: Cinema, path: str
    ) -> None:
        answer = await (await house.client()).get(f"{path}/preview.png")
        picture = Image.open(BytesIO(answer.content))

        assert answer.headers["content-type"] == "image/png"
        assert picture.size == (1200, 630)
        assert len(answer.content) < 200_000

    async def test_what_nobody_knows_has_none(self, house: Cinema) -> None:
        assert (await (await house.client()).get("/films/nothing/preview.png")).status_code == 404


class TestSwitchedOff:
    async def test_without_watchlists_the_facts_are_there_and_nothing_else(
        self, store_of_now: Store, tmp_path: Path
    ) -> None:
        opened = "movienight,library,shareables"
        async with cinema(store_of_now, tmp_path, rooms=opened) as house:
            ben = await house.person("Ben")
            bens = await house.client(ben)
            answer = await bens.get("/films/603")

            assert "Keanu Reeves" in words_of(answer)
            assert "opinion" not in answer.text
            assert "Ratings" not in words_of(answer)
            assert (await bens.post("/films/603/rate", data={"rating": 5})).status_code == 404


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    """TMDB, as far as the house knows."""
    async with standing_in() as stand_in:
        stand_in.add(film(700_001, title="Only there", popularity=5))
        stand_in.add_shows(show(700_002, name="Only there, too", popularity=5))
        yield stand_in


@pytest.fixture
async def keyed(store_of_now: Store, tmp_path: Path, stand_in: StandIn) -> AsyncIterator[Cinema]:
    """A house with a key for TMDB."""
    address = stand_in.address
    async with cinema(
        store_of_now, tmp_path, tmdb_key=KEY, tmdb_address=address, region="US"
    ) as made:
        yield made


class TestWithTmdb:
    async def test_people_see_what_it_knows_and_where_to_watch(
        self, keyed: Cinema, stand_in: StandIn
    ) -> None:
        client = await keyed.client(await keyed.person("Ben"))
        said = words_of(await client.get("/films/700001"))

        assert "Only there" in said
        assert "Where to watch Netflix" in said
        assert "TMDB 7.5 /10 5000 votes" in said
        assert stand_in.paths == ["movie/700001"]

    @pytest.mark.parametrize(
        "path", ["/films/700001", "/shows/700002", "/films/603", "/films/700001/preview.png"]
    )
    async def test_for_a_guest_nobody_is_asked(
        self, keyed: Cinema, stand_in: StandIn, path: str
    ) -> None:
        await (await keyed.client()).get(path)
        await (await keyed.client()).get(f"/api/v1/titles{path}")

        assert stand_in.asked == []

    async def test_a_guest_sees_what_somebody_used(self, keyed: Cinema, stand_in: StandIn) -> None:
        guest = await keyed.client()
        assert (await guest.get("/shows/700002")).status_code == 404
        ben = await keyed.person("Ben")
        await rate(keyed.asks(ben), keyed.titles, TitleId("SHOW", "700002"), rating=8)
        asked = len(stand_in.asked)

        assert "Only there, too" in words_of(await guest.get("/shows/700002"))
        assert len(stand_in.asked) == asked


class TestPosters:
    @pytest.fixture
    def kept(self, tmp_path: Path) -> str:
        """A poster that is on this machine."""
        (tmp_path / "posters").mkdir()
        (tmp_path / "posters" / "abcdefgh.jpg").write_bytes(PICTURE)
        return "/posters/abcdefgh.jpg"

    async def test_one_that_was_kept_is_for_everybody(
        self, house: Cinema, ben: User, kept: str
    ) -> None:
        for client in (await house.client(), await house.client(ben)):
            answer = await client.get(kept)
            assert answer.content == PICTURE
            assert answer.headers["content-type"] == "image/jpeg"
            assert "private" in answer.headers["cache-control"]

    @pytest.mark.parametrize("name", ["abcdefgh.jpg", "..%2Fhouse.db", "x.svg", "%00", "a" * 300])
    async def test_one_that_is_not_there_is_not_found(
        self, house: Cinema, ben: User, name: str
    ) -> None:
        for client in (await house.client(), await house.client(ben)):
            assert (await client.get(f"/posters/{name}")).status_code == 404
