"""Words that differ in a letter have a key in common."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from commonroom.search.queries import TYPOS_FROM, typos_allowed
from commonroom.search.typos import MAX_BEGINNING, beginnings, keys, nearest, similar

WORDS = st.text("abcdefg", min_size=TYPOS_FROM, max_size=14)


def mistyped(word: str, typo: str, place: int, letter: str) -> str:
    at = place % len(word)
    match typo:
        case "missing":
            return word[:at] + word[at + 1 :]
        case "too many":
            return word[:at] + letter + word[at:]
        case "wrong":
            return word[:at] + letter + word[at + 1 :]
    return word[:at] + word[at : at + 2][::-1] + word[at + 2 :]


@given(
    WORDS,
    st.sampled_from(["missing", "too many", "wrong", "swapped"]),
    st.integers(0, 20),
    st.sampled_from("abcdefg"),
)
@example("jaws", "swapped", 1, "a")
@example("godfather", "missing", 6, "a")
def test_one_typo_anywhere_leaves_a_key_in_common(
    word: str, typo: str, place: int, letter: str
) -> None:
    typed = mistyped(word, typo, place, letter)
    assume(len(typed) >= TYPOS_FROM)
    known = {key for beginning in beginnings(word) for key in keys(beginning)}
    assert known & keys(typed[:MAX_BEGINNING])
    assert nearest(typed, word, 1)[0] <= 1


@pytest.mark.parametrize(
    "typed, word, typos",
    [
        ("godfater", "godfather", 1),
        ("jwas", "jaws", 1),
        ("shwashenk", "shawshank", 2),
        ("matrx", "matrix", 1),
        ("inceptoin", "inception", 1),
        ("godf", "godfather", 0),
    ],
)
def test_typos_are_counted_as_people_make_them(typed: str, word: str, typos: int) -> None:
    assert nearest(typed, word, 2)[0] == typos


def test_short_words_have_no_keys() -> None:
    assert beginnings("up") == []


@given(
    st.text("abcd", min_size=4, max_size=9),
    st.lists(st.text("abcd", min_size=1, max_size=10), max_size=60),
)
def test_of_many_words_none_that_is_near_is_left_out(word: str, words: list[str]) -> None:
    most = typos_allowed(word)
    fuzzy = {other for other in words if nearest(word, other, most)[0] <= most}
    assert fuzzy <= set(similar(word, words, most))
