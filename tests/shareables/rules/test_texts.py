"""What people type becomes fit to be kept, or is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import InvalidField
from commonroom.shareables.rules.texts import line, lines, moment


def _line_or_none(typed: str) -> str | None:
    try:
        return line("name", typed, 200)
    except InvalidField:
        return None


class TestTexts:
    @given(st.text(max_size=300))
    def test_a_line_is_on_one_line_and_has_its_length_or_is_refused(self, typed: str) -> None:
        text = _line_or_none(typed)
        if text is not None:
            assert 1 <= len(text) <= 200
            assert text == " ".join(text.split())
            assert line("name", text, 200) == text

    @pytest.mark.parametrize("typed", ["", "   ", "x" * 11, "\x00", "\u200b\u202e", "\ud800"])
    def test_a_line_that_is_too_long_or_in_which_nothing_shows_is_refused(self, typed: str) -> None:
        with pytest.raises(InvalidField):
            line("name", typed, 10)

    def test_what_nobody_sees_is_not_kept(self) -> None:
        assert line("name", "Bill\u202e\u200bs\x1b party", 20) == "Bills party"
        assert lines("note", "Bring\u202e cake\x1b\nand\u200b milk", 100) == "Bring cake\nand milk"

    def test_lengths_count_characters(self) -> None:
        assert line("name", "🦊" * 10, 10) == "🦊" * 10
        assert lines("note", "é" * 10, 10) == "é" * 10

    def test_lines_stay_lines(self) -> None:
        assert lines("note", " one\r\ntwo\n\nthree\t3 ", 100) == "one\ntwo\n\nthree\t3"
        assert lines("note", "  ", 100) is lines("note", None, 100) is None
        with pytest.raises(InvalidField):
            lines("note", "x" * 101, 100)

    def test_a_moment_is_kept_in_utc(self) -> None:
        assert moment("at", "2026-07-01T18:00+02:00") == "2026-07-01T16:00:00.000Z"

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            "soon",
            "2026-07-01",
            "2026-07-01T18:00",
            "9999-12-31T23:59-14:00",
            "9999-12-31T23:59Z",  # tomorrow, east of Greenwich, no calendar has
            "0001-01-01T00:00Z",
        ],
    )
    def test_what_is_no_moment_is_refused(self, typed: str) -> None:
        with pytest.raises(InvalidField):
            moment("at", typed)
