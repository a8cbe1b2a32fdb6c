"""Titles by what others say of them: IMDb's id, or exactly what they are called."""

from __future__ import annotations

import pytest

from commonroom.titles.builtin import Catalogue
from commonroom.titles.sources import TitleSearchResult
from commonroom.titles.tmdb.show_responses import read_findings
from tests.support.engines import Clock
from tests.support.tmdb import TROUBLES, StandIn, film, says, show
from tests.titles.tmdb.conftest import Sources


def names(found: TitleSearchResult) -> list[str]:
    """What was found."""
    return [one.title for one in found.titles]


class TestTheBuiltInCatalogue:
    async def test_knows_films_and_shows_by_imdbs_id(self) -> None:
        for imdb_id, title in (("tt0133093", "The Matrix"), ("tt0903747", "Breaking Bad")):
            assert names(await Catalogue().with_imdb_id(imdb_id)) == [title]
        assert (await Catalogue().with_imdb_id("tt9999999")).titles == []

    @pytest.mark.parametrize("title", ["The Matrix", "matrix, the", "THE MATRIX!"])
    async def test_knows_them_by_what_they_are_called(self, title: str) -> None:
        assert names(await Catalogue().called(title)) == ["The Matrix"]

    async def test_forgives_no_typos(self) -> None:
        assert (await Catalogue().called("The Matrx")).titles == []


class TestTmdb:
    async def test_is_asked_for_what_the_catalogue_lacks(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.add(film(711))
        stand_in.add_shows(show(712))
        source = sources()
        assert names(await source.with_imdb_id("tt0000711")) == ["Film 711"]
        assert names(await source.with_imdb_id("tt0000712")) == ["Show 712"]
        assert (await source.with_imdb_id("tt0133093")).titles[0].title == "The Matrix"
        assert stand_in.paths == ["find/tt0000711", "find/tt0000712"]

    async def test_knows_films_and_shows_by_name(self, sources: Sources, stand_in: StandIn) -> None:
        stand_in.add(film(711, title="Same name"))
        stand_in.add_shows(show(712, name="Same name"))
        found = await sources().called("Same name")
        assert {(one.content_type, one.tmdb_id) for one in found.titles} == {
            ("MOVIE", 711),
            ("SHOW", 712),
        }

    async def test_what_is_no_id_is_not_asked_for(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        assert (await sources().with_imdb_id("../../x")).answered
        assert stand_in.paths == []

    @pytest.mark.parametrize("trouble", ["fails", "hangs up", "says nonsense"])
    async def test_says_where_it_had_no_answer(
        self, sources: Sources, stand_in: StandIn, trouble: str
    ) -> None:
        stand_in.troubles = {"": TROUBLES[trouble](stand_in)}
        source = sources()
        assert not (await source.with_imdb_id("tt0000711")).answered
        named = await source.called("The Matrix")
        assert (named.answered, names(named)) == (False, ["The Matrix"])

    async def test_nobody_has_an_id_that_it_does_not_know(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        assert await sources().with_imdb_id("tt0000713") == await Catalogue().with_imdb_id("tt1")

    async def test_what_makes_no_sense_is_left_out(
        self, sources: Sources, stand_in: StandIn
    ) -> None:
        stand_in.troubles = {"find": says('{"movie_results": [{"x": 1}], "tv_results": [7]}')}
        found = await sources().with_imdb_id("tt0000711")
        assert (list(found.titles), found.answered) == ([], True)

    async def test_answers_come_from_the_cache(
        self, sources: Sources, stand_in: StandIn, clock: Clock
    ) -> None:
        stand_in.add(film(711))
        for _ in range(2):
            assert (await sources().with_imdb_id("tt0000711")).titles
        assert len(stand_in.paths) == 1


def test_a_finding_is_read_again_as_it_was() -> None:
    assert read_findings(b"{}").movie_results == []
