"""Posters: kept ones are given out; for all other films one is drawn (catalog.drawings)."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from commonroom.house.rooms import ROOMS
from commonroom.movienight.pages.film_cards import FilmCard
from commonroom.web import assets
from commonroom.web.rooms import packages
from tests.movienight.pages.site import Site
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
        self, site: Site, eves: Browser, guest: Browser, tmp_path: Path
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
        self, site: Site, adas: Browser, name: str
    ) -> None:
        assert (await adas.get(f"/posters/{name}")).status_code == 404

    def test_is_asked_for_only_where_it_has_a_sound_name(self) -> None:
        def of(path: str | None) -> str | None:
            return FilmCard(tmdb_movie_id=1, title="Up", poster_path=path).poster

        assert of("/abcdefgh.jpg") == "/posters/abcdefgh.jpg"
        assert of("/../../abcdefgh.jpg") is None
        assert of("https://elsewhere.example/abcdefgh.jpg") is None
        assert of(None) is None


class TestTheLook:
    def test_every_icon_of_the_room_is_in_the_sprite(self) -> None:
        written = "\n".join(one.read_text() for one in TEMPLATES.rglob("*.html"))
        used = set(re.findall(r'\b(?:icon|sign|empty)\("(\w+)"', written))
        assert {"up", "down", "loved", "liked", "did_not_like", *used} <= drawn("icons.svg")

    def test_the_style_sheet_loads_nothing(self) -> None:
        style = assets.assets(packages(ROOMS))["movienight/movienight.css"].content.decode()
        assert "url(" not in style
        assert "@import" not in style
