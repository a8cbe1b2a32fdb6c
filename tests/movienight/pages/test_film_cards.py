"""Posters: kept ones are given out; for all other films one is drawn (catalog.drawings)."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from commonroom.house.rooms import ROOMS
from commonroom.http import assets
from commonroom.joins.rooms import packages
from commonroom.movienight.pages.film_cards import FilmCard

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
