"""Posters: kept ones are given out, and for all other films one is drawn."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.catalog.genres import GENRES
from commonroom.house.rooms import ROOMS
from commonroom.movienight.pages.film_cards import NO_SCENE, SCENES, FilmCard, of_film
from commonroom.web import assets
from commonroom.web.rooms import packages
from tests.movienight.pages.parlour import Parlour
from tests.support.pages import Browser

PICTURE = b"\xff\xd8\xff\xe0 a poster"
TEMPLATES = Path(str(files("commonroom.movienight"))) / "templates"


def drawn(sprite: str) -> set[str]:
    """What a sprite has."""
    return set(
        re.findall(
            r'<symbol id="([\w-]+)"', assets.assets(packages(ROOMS))[sprite].content.decode()
        )
    )


class TestAPoster:
    async def test_that_was_kept_is_given_to_whoever_is_signed_in(
        self, parlour: Parlour, eves: Browser, guest: Browser, tmp_path: Path
    ) -> None:
        (tmp_path / "posters").mkdir()
        (tmp_path / "posters" / "abcdefgh.jpg").write_bytes(PICTURE)
        answer = await eves.get("/posters/abcdefgh.jpg")
        assert answer.content == PICTURE
        assert answer.headers["content-type"] == "image/jpeg"
        assert "private" in answer.headers["cache-control"]
        assert (await guest.get("/posters/abcdefgh.jpg")).status_code == 303

    @pytest.mark.parametrize("name", ["abcdefgh.jpg", "..%2Fhouse.db", "x.svg", "%00", "a" * 300])
    async def test_that_is_not_there_is_not_found(
        self, parlour: Parlour, adas: Browser, name: str
    ) -> None:
        assert (await adas.get(f"/posters/{name}")).status_code == 404

    def test_is_asked_for_only_where_it_has_a_sound_name(self) -> None:
        def of(path: str | None) -> str | None:
            return FilmCard(tmdb_movie_id=1, title="Up", poster_path=path).poster

        assert of("/abcdefgh.jpg") == "/posters/abcdefgh.jpg"
        assert of("/../../abcdefgh.jpg") is None
        assert of("https://elsewhere.example/abcdefgh.jpg") is None
        assert of(None) is None


class TestADrawnOne:
    def test_exists_for_every_genre(self) -> None:
        scenes = {scene for some in SCENES.values() for scene in some} | {*NO_SCENE}
        assert scenes == drawn("posters.svg")
        assert set(SCENES) <= set(GENRES)

    def test_has_colours_for_every_scene(self) -> None:
        style = assets.assets(packages(ROOMS))["movienight/movienight.css"].content.decode()
        coloured = set(re.findall(r"\.poster-([a-z]+) \{ --hue", style))
        assert coloured == {scene.partition("-")[0] for scene in drawn("posters.svg")}

    async def test_is_the_same_wherever_a_film_is_shown(self, parlour: Parlour) -> None:
        film = (await parlour.films.search("Paddington"))[0]
        assert of_film(film).scene == of_film(film).scene
        assert of_film(film).scene in {one for genre in film.genres for one in SCENES[genre]}

    @given(
        number=st.integers(1, 2**53),
        genres=st.lists(st.sampled_from([*GENRES, "unknown"]), max_size=5),
    )
    def test_is_there_whatever_a_film_is(self, number: int, genres: list[str]) -> None:
        card = FilmCard(tmdb_movie_id=number, title="A film", genres=tuple(genres))
        assert card.scene in drawn("posters.svg")
        assert card.scene.startswith(card.colour)
        assert card.shade in (0, 1, 2)

    @pytest.mark.parametrize(
        "title,lettering",
        [
            ("Up", "large"),
            ("Toy Story", "large"),
            ("Paddington 2", "middle"),
            ("Ratatouille", "small"),
            ("The Lord of the Rings: The Fellowship of the Ring", "tiny"),
            ("Supercalifragilisticexpialidocious", "tiny"),
        ],
    )
    def test_has_letters_that_its_title_fits_in(self, title: str, lettering: str) -> None:
        assert FilmCard(tmdb_movie_id=1, title=title).lettering == lettering


class TestTheLook:
    def test_every_icon_of_the_room_is_in_the_sprite(self) -> None:
        written = "\n".join(one.read_text() for one in TEMPLATES.rglob("*.html"))
        used = set(re.findall(r'\b(?:icon|sign|empty)\("(\w+)"', written))
        assert {"up", "down", "loved", "liked", "did_not_like", *used} <= drawn("icons.svg")

    def test_the_style_sheet_loads_nothing(self) -> None:
        style = assets.assets(packages(ROOMS))["movienight/movienight.css"].content.decode()
        assert "url(" not in style
        assert "@import" not in style
