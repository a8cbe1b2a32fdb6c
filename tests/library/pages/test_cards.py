"""Items as pages show them, and the covers that are drawn for them."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.catalog.posters import drawing_of
from commonroom.library.pages.cards import BOOK_MOTIFS, TONES, card_of, tone_of
from commonroom.library.tables import Book, Video

STATIC = Path(str(files("commonroom.library") / "static" / "library"))
TEMPLATES = Path(str(files("commonroom.library") / "templates"))

PLACE: dict[str, Any] = {"owner_id": "O", "library_id": "L", "account_id": "a"}
EMMA = Book(**PLACE, item_id="I", title="Emma", authors=["Jane Austen"])
ALIEN = Video(**PLACE, item_id="I", title="Alien", directors=["Ridley Scott"], release_year=1979)


def symbols(sprite: str) -> set[str]:
    """The drawings in a file."""
    return set(re.findall(r'<symbol id="([^"]+)"', (STATIC / sprite).read_text()))


def test_everything_that_covers_are_drawn_with_is_there() -> None:
    assert symbols("covers.svg") == set(BOOK_MOTIFS)
    style = (STATIC / "library.css").read_text()
    assert all(f".tone-{tone} " in style for tone in range(TONES))


def test_every_icon_that_a_template_names_is_drawn() -> None:
    named = {
        name
        for template in TEMPLATES.rglob("*.html")
        for name in re.findall(r'sketch\("([^"]+)"\)', template.read_text())
    }
    assert named <= symbols("icons.svg")


def test_an_item_always_looks_the_same_and_like_its_collection() -> None:
    one, other = [replace(EMMA, item_id=id_, collection_id="C") for id_ in ("1", "2")]
    assert card_of(one).tone == card_of(other).tone == tone_of("C")
    assert card_of(one).layout == card_of(other).layout
    assert card_of(one).motif == card_of(replace(one, title="Other")).motif


def test_each_of_a_collection_has_a_drawing_of_its_own() -> None:
    places = range(1, len(BOOK_MOTIFS) + 1)
    row = [card_of(replace(EMMA, collection_id="C", order=order)) for order in places]
    assert len({card.motif for card in row}) == len(BOOK_MOTIFS)


def test_a_film_has_the_drawing_that_it_has_in_every_room() -> None:
    assert card_of(ALIEN).drawing == drawing_of("Alien")


@pytest.mark.parametrize(
    "title, lettering",
    [
        ("Emma", "large"),
        ("The Hobbit", "large"),
        ("Pride and Prejudice", "middle"),
        ("Frankenstein", "small"),
        ("The Strange Case of Dr Jekyll and Mr Hyde", "small"),
        ("Donaudampfschifffahrtsgesellschaft", "tiny"),
        ("x" * 100, "tiny"),
    ],
)
def test_long_titles_are_drawn_smaller(title: str, lettering: str) -> None:
    assert card_of(replace(EMMA, title=title)).lettering == lettering


def test_what_is_said_in_a_line_is_what_is_known() -> None:
    assert card_of(EMMA).facts == ["Jane Austen"]
    assert card_of(replace(EMMA, authors=[])).facts == []
    assert card_of(ALIEN).facts == ["Ridley Scott", "1979"]
    assert card_of(replace(ALIEN, duration=117)).facts == ["Ridley Scott", "1979", "1 h 57 min"]
    assert card_of(replace(ALIEN, duration=0)).length == ""


@pytest.mark.parametrize(
    "names, said",
    [
        ([], ""),
        (["A"], "A"),
        (["A", "B"], "A and B"),
        (["A", "B", "C"], "A, B and C"),
        (["A", "B", "C", "D"], "A, B and others"),
    ],
)
def test_who_made_it_is_said_shortly(names: list[str], said: str) -> None:
    assert card_of(replace(EMMA, authors=names)).by == said


def test_lengths_are_said_as_one_says_them() -> None:
    for minutes, said in ((45, "45 min"), (60, "1 h"), (125, "2 h 5 min")):
        assert card_of(replace(ALIEN, duration=minutes)).length == said
