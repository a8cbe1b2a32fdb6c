"""What is said of films and shows in every room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commonroom.http.words import speaking
from commonroom.titles.genres import TITLE_GENRES
from commonroom.titles.titles import ContentType
from commonroom.titles.words import facts_line, genre_name
from tests.support.catalogues import spoken_too


class TestGenres:
    def test_are_all_named_as_the_catalogue_names_them(self) -> None:
        assert {genre: genre_name(genre) for genre in TITLE_GENRES} == TITLE_GENRES

    def test_are_translated_by_id_and_by_name(self, tmp_path: Path) -> None:
        with spoken_too(tmp_path, "fr", {"Comedy": "Comédie"}), speaking("fr"):
            assert genre_name("35") == genre_name("Comedy") == "Comédie"

    def test_that_nobody_knows_are_shown_as_they_are(self) -> None:
        assert genre_name("4711") == "4711"


@pytest.mark.parametrize(
    "kind,known,line",
    [
        (
            "MOVIE",
            {"year": 1999, "minutes": 136, "genres": ["Action", "878", "Drama"]},
            "1999 · 2 h 16 min · Action, Science Fiction",
        ),
        ("SHOW", {"year": 2008, "seasons": 5, "genres": ["Crime"]}, "2008 · 5 seasons · Crime"),
        ("SHOW", {"year": 2024, "seasons": 1}, "2024 · 1 season"),
        ("SHOW", {"year": 2024}, "2024 · Series"),
        ("MOVIE", {}, ""),
    ],
)
def test_a_title_is_said_in_a_line_as_far_as_it_is_known(
    kind: ContentType, known: dict[str, Any], line: str
) -> None:
    assert facts_line(kind, **known) == line
