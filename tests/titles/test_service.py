"""The catalogue as all rooms use it: titles by id and by text, stored or not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.errors import NotFound
from commonroom.store import Store, Table, update
from commonroom.titles.builtin import Catalogue, known_title
from commonroom.titles.films import Film
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import STALE_SECONDS, load_title
from commonroom.titles.tables import worth_watch
from commonroom.titles.titles import TitleFacts, TitleId
from tests.accounts.people import Watch

BREAKING_BAD = TitleId("SHOW", "1396")
MATRIX = TitleId("MOVIE", "603")
MADE_UP = TitleId("MOVIE", "6c1b9bd8-7b0e-4d4b-9d0f-6a5a3a1b2c3d")
NOBODYS = TitleId("SHOW", "999999999")
TOLD = TitleFacts(
    content_type="SHOW",
    content_id="999999",
    tmdb_id=999_999,
    title="Only TMDB knows it",
    vote_count=10,
    services=("netflix",),
)


class Asked(Catalogue):
    """A source that knows one show more, as TMDB would, and what it was asked for."""

    knows_services = True

    def __init__(self) -> None:
        self.asked: list[int] = []

    async def show(self, tmdb_show_id: int) -> TitleFacts | None:
        self.asked.append(tmdb_show_id)
        return TOLD if tmdb_show_id == TOLD.tmdb_id else await super().show(tmdb_show_id)

    async def film(self, tmdb_movie_id: int) -> Film | None:
        self.asked.append(tmdb_movie_id)
        return await super().film(tmdb_movie_id)


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    """What a store of titles holds."""
    return [worth_watch]


@pytest.fixture
def source() -> Asked:
    """Where titles come from."""
    return Asked()


@pytest.fixture
def titles(source: Asked) -> Titles:
    """The catalogue."""
    return Titles(source)


class TestFind:
    async def test_a_title_that_nobody_used_has_the_facts_of_the_source(
        self, titles: Titles, store: Store
    ) -> None:
        found = await titles.find(store, BREAKING_BAD)

        assert found is not None
        assert (found.facts, found.stored) == (known_title(BREAKING_BAD), None)

    async def test_a_look_stores_nothing(self, titles: Titles, store: Store) -> None:
        await titles.find(store, BREAKING_BAD)
        await titles.find_here(store, BREAKING_BAD)

        assert await load_title(store, BREAKING_BAD) is None

    async def test_a_title_that_nobody_knows_is_none(self, titles: Titles, store: Store) -> None:
        assert await titles.find(store, NOBODYS) is None
        assert await titles.find(store, MADE_UP) is None

    async def test_what_tmdb_tells_now_is_shown_before_what_was_kept(
        self, titles: Titles, store: Store, clock: Watch
    ) -> None:
        stored = await titles.ensure_stored(store, TOLD.id, clock())
        await store.write(update(stored, title="As it was called"))
        found = await titles.find(store, TOLD.id)

        assert found is not None
        assert found.facts.title == "Only TMDB knows it"

    async def test_what_an_administrator_wrote_is_shown_with_who_has_it(
        self, titles: Titles, store: Store, clock: Watch
    ) -> None:
        stored = await titles.ensure_stored(store, TOLD.id, clock())
        await store.write(update(stored, title="As we say it", made_by="ada"))
        found = await titles.find(store, TOLD.id)

        assert found is not None
        assert (found.facts.title, found.facts.services) == ("As we say it", ("netflix",))


class TestForGuests:
    async def test_nobody_is_asked(self, titles: Titles, store: Store, source: Asked) -> None:
        assert await titles.find_here(store, TOLD.id) is None
        found = await titles.find_here(store, MATRIX)

        assert found is not None
        assert found.facts.title == "The Matrix"
        assert source.asked == []

    async def test_a_title_that_somebody_used_is_shown_as_it_was_kept(
        self, titles: Titles, store: Store, clock: Watch, source: Asked
    ) -> None:
        await titles.ensure_stored(store, TOLD.id, clock())
        source.asked.clear()
        found = await titles.find_here(store, TOLD.id)

        assert found is not None
        assert found.facts == replace(TOLD, services=None)
        assert source.asked == []


class TestEnsureStored:
    async def test_keeps_a_title_from_its_first_use_on_and_asks_once(
        self, titles: Titles, store: Store, clock: Watch, source: Asked
    ) -> None:
        first = await titles.ensure_stored(store, BREAKING_BAD, clock())
        again = await titles.ensure_stored(store, BREAKING_BAD, clock())

        assert first == again == await load_title(store, BREAKING_BAD)
        assert source.asked == [1396]

    @pytest.mark.parametrize("unknown", [NOBODYS, MADE_UP])
    async def test_refuses_what_nobody_knows(
        self, titles: Titles, store: Store, clock: Watch, unknown: TitleId
    ) -> None:
        with pytest.raises(NotFound):
            await titles.ensure_stored(store, unknown, clock())


class TestSearch:
    async def test_gives_films_and_shows_in_turn(self, titles: Titles) -> None:
        found = await titles.search("star")

        assert [one.content_type for one in found[:4]] == ["MOVIE", "SHOW", "MOVIE", "SHOW"]

    async def test_the_very_title_comes_first_whatever_it_is(self, titles: Titles) -> None:
        (first, *_) = await titles.search("dark")

        assert (first.content_type, first.title) == ("SHOW", "Dark")

    async def test_gives_one_kind_where_only_that_is_wanted(self, titles: Titles) -> None:
        assert {one.content_type for one in await titles.search("star", ["SHOW"])} == {"SHOW"}
        assert {one.content_type for one in await titles.search("star", ["MOVIE"])} == {"MOVIE"}

    @pytest.mark.parametrize("text", ["", "  ", "\u200b", "?!"])
    async def test_finds_nothing_by_nothing(self, titles: Titles, text: str) -> None:
        assert await titles.search(text) == []

    @pytest.mark.parametrize("limit, most", [(0, 0), (-1, 0), (3, 3), (10**6, 50)])
    async def test_gives_no_more_than_asked_for_nor_than_fifty(
        self, titles: Titles, limit: int, most: int
    ) -> None:
        assert len(await titles.search("t", limit=limit)) == most


@pytest.mark.parametrize("text", ["0", "007", "٣", "1.5", "", "x" * 40, "99999999999", "-1"])
def test_what_is_no_plain_number_is_no_tmdb_id(text: str) -> None:
    assert TitleId("MOVIE", text).tmdb_id is None


def test_a_title_has_one_address() -> None:
    assert (MATRIX.address, BREAKING_BAD.address) == ("/films/603", "/shows/1396")


async def test_the_source_is_asked_again_only_after_a_while(
    store: Store, clock: Watch, titles: Titles, source: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = TitleId("SHOW", "999999")
    await titles.ensure_stored(store, title, clock())
    await titles.ensure_stored(store, title, clock())
    assert source.asked == [999_999]

    renamed = replace(TOLD, title="Called otherwise now")
    monkeypatch.setattr("tests.titles.test_service.TOLD", renamed)
    clock.now += STALE_SECONDS + 1
    assert (await titles.ensure_stored(store, title, clock())).title == "Called otherwise now"
    await titles.ensure_stored(store, title, clock())
    assert source.asked == [999_999] * 2, "what it told counts from now"


async def test_what_a_source_no_longer_knows_stays(
    store: Store, clock: Watch, titles: Titles, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = TitleId("SHOW", "999999")
    await titles.ensure_stored(store, title, clock())
    monkeypatch.setattr("tests.titles.test_service.TOLD", replace(TOLD, tmdb_id=1))
    clock.now += STALE_SECONDS + 1
    assert (await titles.ensure_stored(store, title, clock())).title == "Only TMDB knows it"
