"""Short ids can be read aloud, typed carelessly, and shown to anybody."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.shareables.rules.short_ids import (
    LETTERS,
    format_short_id,
    is_rude,
    new_short_id,
    read_short_id,
)

letters = st.text(LETTERS, min_size=3, max_size=3)
ids = st.builds("{}-{}-{:05d}".format, letters, letters, st.integers(0, 99999))


def test_the_letters_are_those_that_nobody_takes_for_a_number() -> None:
    assert len(LETTERS) == 23
    assert not set("ILO") & set(LETTERS)


def test_a_new_one_has_the_form_and_is_not_rude() -> None:
    for _ in range(500):
        made = new_short_id()
        assert re.fullmatch(rf"[{LETTERS}]{{3}}-[{LETTERS}]{{3}}-[0-9]{{5}}", made)
        assert not is_rude(made)


@given(ids)
def test_what_is_shown_is_read_as_what_is_stored(short_id: str) -> None:
    stored = read_short_id(short_id)
    assert stored == short_id.lower()
    assert format_short_id(stored) == short_id


@given(ids, st.sampled_from(["", "-", " ", " - ", "–"]), st.data())
def test_it_is_read_in_any_case_and_with_any_dashes(
    short_id: str, between: str, data: st.DataObject
) -> None:
    typed = between.join(short_id.split("-"))
    typed = "".join(data.draw(st.sampled_from([one.lower(), one.upper()])) for one in typed)
    assert read_short_id(f" {typed} ") == short_id.lower()


def test_letters_among_the_numbers_are_the_numbers_they_look_like() -> None:
    assert read_short_id("abc-def-OIL5o") == "abc-def-01150"


@pytest.mark.parametrize(
    "typed",
    ["", "abc-def-1234", "abc-def-123456", "abi-def-12345", "abc-d0f-12345", "abc-def-١٢٣٤٥"],
)
def test_what_cannot_be_one_is_none(typed: str) -> None:
    assert read_short_id(typed) is None


@given(st.text(max_size=200))
def test_whatever_is_typed_is_an_id_or_none(typed: str) -> None:
    found = read_short_id(typed)
    assert found is None or read_short_id(found) == found


@pytest.mark.parametrize("letters", ["ASS-BCD", "BCD-ASS", "BCA-SSD", "BAS-SBC", "fuc-kab"])
def test_a_rude_word_is_found_in_a_group_and_across_both(letters: str) -> None:
    assert is_rude(letters)
