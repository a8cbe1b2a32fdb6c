"""What people type becomes fit to be kept, or is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.accounts.text_fields import fit_line, fit_lines, fit_optional_line
from commonroom.errors import InvalidField


def _line_or_none(typed: str) -> str | None:
    try:
        return fit_line("name", typed, 200)
    except InvalidField:
        return None


class TestTexts:
    @given(st.text(max_size=300))
    def test_a_line_is_on_one_line_and_has_its_length_or_is_refused(self, typed: str) -> None:
        text = _line_or_none(typed)
        if text is not None:
            assert 1 <= len(text) <= 200
            assert text == " ".join(text.split())
            assert fit_line("name", text, 200) == text

    @pytest.mark.parametrize("typed", ["", "   ", "x" * 11, "\x00", "\u200b\u202e", "\ud800"])
    def test_a_line_that_is_too_long_or_in_which_nothing_shows_is_refused(self, typed: str) -> None:
        with pytest.raises(InvalidField):
            fit_line("name", typed, 10)

    def test_what_nobody_sees_is_not_kept(self) -> None:
        assert fit_line("name", "Bill\u202e\u200bs\x1b party", 20) == "Bills party"
        assert (
            fit_lines("note", "Bring\u202e cake\x1b\nand\u200b milk", 100) == "Bring cake\nand milk"
        )

    def test_lengths_count_characters(self) -> None:
        assert fit_line("name", "🦊" * 10, 10) == "🦊" * 10
        assert fit_lines("note", "é" * 10, 10) == "é" * 10

    def test_lines_stay_lines(self) -> None:
        assert fit_lines("note", " one\r\ntwo\n\nthree\t3 ", 100) == "one\ntwo\n\nthree\t3"
        assert fit_lines("note", "  ", 100) is fit_lines("note", None, 100) is None
        with pytest.raises(InvalidField):
            fit_lines("note", "x" * 101, 100)

    def test_a_line_may_be_left_out_where_it_is_optional(self) -> None:
        assert fit_optional_line("by", None, 10) is fit_optional_line("by", "\u200b", 10) is None
        assert fit_optional_line("by", " Ann ", 10) == "Ann"

    def test_a_refusal_names_the_field_and_says_what_is_taken(self) -> None:
        with pytest.raises(InvalidField, match="Enter a title") as refused:
            fit_line("title", "", 10, "Enter a title.")
        assert refused.value.field == "title"
