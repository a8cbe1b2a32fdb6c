"""Codes of answers can be read aloud and typed carelessly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonroom.shareables.rules.answers import ALPHABET, new_code, read_code


class TestCodes:
    def test_are_of_eight_letters_that_nobody_confuses(self) -> None:
        code = new_code()
        assert len(code) == 8
        assert set(code) <= set(ALPHABET)
        assert not set("ilo01") & set(ALPHABET)

    def test_are_read_in_any_case(self) -> None:
        code = new_code()
        assert read_code(f" {code[:4].upper()}-{code[4:]} ") == code

    @given(st.text(max_size=60))
    def test_whatever_is_typed_is_a_code_or_none(self, typed: str) -> None:
        code = read_code(typed)
        assert code is None or (len(code) == 8 and set(code) <= set(ALPHABET))
