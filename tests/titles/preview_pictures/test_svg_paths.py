"""SVG paths as polygons."""

from __future__ import annotations

import math

import pytest

from commonroom.titles.builtin import known_films, known_shows
from commonroom.titles.posters import drawing_of
from commonroom.titles.preview_pictures.drawn_posters import draw_poster, font, palette, wrap
from commonroom.titles.preview_pictures.svg_paths import Point, outlines
from commonroom.titles.titles import TitleFacts


def rounded(path: str) -> list[list[Point]]:
    """The lines of a path, in whole numbers."""
    return [[(round(x, 3), round(y, 3)) for x, y in line] for line in outlines(path)]


@pytest.mark.parametrize(
    "path, lines",
    [
        ("M1 2L3 4", [[(1, 2), (3, 4)]]),
        ("M1 2l3 4", [[(1, 2), (4, 6)]]),
        ("M1 2 3 4 5 6", [[(1, 2), (3, 4), (5, 6)]]),
        ("M0 0H4V5h-1v-2", [[(0, 0), (4, 0), (4, 5), (3, 5), (3, 3)]]),
        ("M0 0L2 0L2 2z", [[(0, 0), (2, 0), (2, 2), (0, 0)]]),
        ("M0 0L1 0M5 5l1.5-.5", [[(0, 0), (1, 0)], [(5, 5), (6.5, 4.5)]]),
        ("M3 3", []),
        ("", []),
    ],
)
def test_straight_lines(path: str, lines: list[list[Point]]) -> None:
    assert rounded(path) == lines


@pytest.mark.parametrize(
    "path, middle, end",
    [
        ("M0 0Q5 10 10 0", (5, 5), (10, 0)),
        ("M0 0q5 10 10 0", (5, 5), (10, 0)),
        ("M0 0C0 10 10 10 10 0", (5, 7.5), (10, 0)),
        ("M-10 0A10 10 0 0 1 10 0", (0, -10), (10, 0)),
        ("M-10 0A10 10 0 0 0 10 0", (0, 10), (10, 0)),
        ("M-10 0a10 10 0 0 1 20 0", (0, -10), (10, 0)),
        ("M-10 0A1 1 0 0 1 10 0", (0, -10), (10, 0)),
    ],
)
def test_curves_pass_through_their_middle(path: str, middle: Point, end: Point) -> None:
    (line,) = rounded(path)

    for found, wanted in zip((line[len(line) // 2], line[-1]), (middle, end), strict=True):
        assert math.dist(found, wanted) < 1e-3


def test_smooth_curves_go_on_as_they_came() -> None:
    (line,) = rounded("M0 0Q5 10 10 0T20 0")

    assert math.dist(line[-1], (20, 0)) < 1e-3
    assert round(min(y for _, y in line), 3) == -5


class TestDrawnPosters:
    @pytest.mark.parametrize("one", [known_films()[0], known_films()[7], known_shows()[0]])
    def test_a_title_is_drawn_in_its_colours(self, one: TitleFacts) -> None:
        drawing = drawing_of(one.title, one.content_type)
        picture = draw_poster(drawing, 100)

        assert picture.size == (100, 150)
        assert picture.getpixel((1, 1)) != picture.getpixel((1, 148))
        colours = palette(drawing)
        assert len({colours.sky, colours.ink, colours.accent}) == 3

    def test_long_titles_are_wrapped_and_cut(self) -> None:
        lines = wrap("one two three four five six seven", font(20), 60, 3)

        assert len(lines) == 3
        assert lines[-1].endswith("…")
        assert wrap("", font(20), 60, 3) == []
