"""What a text is compared by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.search.words import MAX_WHOLE, MAX_WORD, fold, title_words, wholes


@pytest.mark.parametrize(
    "title, words",
    [
        ("The Godfather", {"the", "godfather"}),
        ("Amélie", {"amelie"}),
        ("WALL·E", {"wall", "e", "walle"}),
        ("Spider-Man", {"spider", "man", "spiderman"}),
        ("L’Étranger", {"letranger", "l", "etranger"}),
        ("Rocky IV", {"rocky", "4", "iv", "four"}),
        ("Ocean's 11", {"oceans", "ocean", "s", "11", "xi", "eleven"}),
        ("Lilo & Stitch", {"lilo", "and", "stitch"}),
        ("Straße", {"strasse"}),
        ("Åse og Øyvind", {"ase", "og", "oyvind"}),
        ("نامه", {"نامه"}),
        ("नमस्ते", {fold("नमस्ते")}),
        ("", set()),
    ],
)
def test_a_title_has_the_words_that_people_type_for_it(title: str, words: set[str]) -> None:
    assert set(title_words(title)) == words


def test_a_title_without_spaces_has_a_word_for_each_character() -> None:
    assert {"千", "神", "隠"} <= set(title_words("千と千尋の神隠し"))


def test_signs_alone_are_a_word() -> None:
    assert title_words("!!!") == wholes("!!!")
    assert title_words("🎬") != title_words("🎥")


@pytest.mark.parametrize(
    "one, other",
    [
        ("The Godfather: Part II", "godfather part 2"),
        ("Star Wars", "starwars"),
        ("WALL·E", "wall e"),
        ("Spider-Man", "spider man"),
        ("Ocean's Eleven", "oceans 11"),
        ("Mission: Impossible", "mission impossible"),
        ("The Matrix", "MATRIX"),
    ],
)
def test_two_spellings_of_a_title_are_the_same_title(one: str, other: str) -> None:
    assert set(wholes(one)) & set(wholes(other))


@pytest.mark.parametrize("one, other", [("Alien", "Aliens"), ("Up", "Cup"), ("It", "It Follows")])
def test_two_titles_stay_two(one: str, other: str) -> None:
    assert not set(wholes(one)) & set(wholes(other))


@given(st.text())
def test_words_hold_nothing_that_a_tokenizer_would_part(text: str) -> None:
    for word in (*title_words(text), *wholes(text)):
        assert word
        assert not any(sign.isspace() or (sign.isascii() and not sign.isalnum()) for sign in word)
        assert len(word) <= max(MAX_WORD, MAX_WHOLE)


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
