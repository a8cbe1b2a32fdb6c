"""Posters that are drawn for films: one for each, of its genres, and no two the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.catalog.builtin import known_films
from commonroom.catalog.drawings import ANY_SCENE, LAYOUTS, SCENES, SHADES, Drawing, drawing_of
from commonroom.catalog.films import GENRES
from commonroom.web import assets
from commonroom.web.rooms import packages

SPRITE = assets.assets(packages(()))["posters.svg"].content.decode()
STYLE = assets.assets(packages(()))["components.css"].content.decode()
DRAWN = set(re.findall(r'<symbol id="([\w-]+)"', SPRITE))


def look(drawing: Drawing) -> tuple[str, int, int]:
    """What one sees of a drawing beside the title."""
    return drawing.scene, drawing.shade, drawing.layout


def test_every_scene_is_drawn_and_has_colours() -> None:
    assert {scene for some in SCENES.values() for scene in some} | {*ANY_SCENE} == DRAWN
    assert set(SCENES) <= set(GENRES)
    coloured = set(re.findall(r"\.poster-([a-z]+) \{ --hue", STYLE))
    assert coloured == {scene.partition("-")[0] for scene in DRAWN}
    # The first of each looks as drawn.
    assert all(f".shade-{shade}" in STYLE for shade in SHADES[1:])
    assert all(f".poster.layout-{layout}" in STYLE for layout in LAYOUTS[1:])


def test_no_two_films_of_the_catalogue_look_the_same_whoever_their_neighbours_are() -> None:
    titles = {film.title for film in known_films()}
    assert len({look(drawing_of(title)) for title in titles}) == len(titles)


def test_a_film_of_the_catalogue_is_drawn_by_its_genres() -> None:
    fitting = [
        drawing_of(film.title).scene in {one for genre in film.genres for one in SCENES[genre]}
        for film in known_films()
    ]
    # A genre that many films have runs out of looks in the end.
    assert sum(fitting) > 0.98 * len(fitting)


@pytest.mark.parametrize("written", ["WALL-E", "Wall E", " wall·e "])
def test_a_film_is_known_however_its_title_is_written(written: str) -> None:
    assert look(drawing_of(written)) == look(drawing_of("WALL·E"))


@given(title=st.text(max_size=60))
def test_there_is_one_whatever_a_film_is_called(title: str) -> None:
    drawing = drawing_of(title)
    assert drawing.scene in DRAWN
    assert drawing.scene.startswith(drawing.colour)
    assert drawing == drawing_of(title)


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
def test_it_has_letters_that_its_title_fits_in(title: str, lettering: str) -> None:
    assert drawing_of(title).lettering == lettering
