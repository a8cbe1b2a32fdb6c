"""One cleaner for every text that people type."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import InvalidField
from commonroom.texts import (
    COLLATION_KEY_BYTES,
    clean_line,
    clean_lines,
    collation_key,
    fit_line,
    fit_lines,
    fit_optional_line,
)

# What hides, joins, composes or separates, beside ordinary letters.
TROUBLE = (
    "a e\u0301\u00e9 \t\n\r\x0b\x0c\x00\x1b\x7f\x85\u00ad\u061c\u115f\u200b\u200c\u200d\u200e\u200f"
    "\u2028\u2029\u202e\u2060\u2066\u2069\u2800\u3164\ufe0f\ufeff"
    "\U0001f468\U0001f469\U0001f3fd\U0001f3f4\U000e0067"
    "\U000e0062\U000e0065\U000e006e\U000e007f\u0628\u0646\u0915\u094d\u0937\ud800\udfff"
)
troublesome = st.text(st.sampled_from(TROUBLE), max_size=30) | st.text(max_size=30)

HIDDEN = [
    "\u200b", "\u200e", "\u200f", "\u202e", "\u2066", "\u2060", "\ufeff", "\u00ad", "\u061c",
    "\x00", "\x1b", "\x7f", "\x9b", "\ud800", "\U000e0041", "\u200d", "\u200c",
]  # fmt: skip


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_nobody_sees_does_not_make_two_names_of_one(hidden: str) -> None:
    assert clean_line(f"{hidden}To{hidden}m{hidden}") == "Tom"
    assert clean_lines(f"{hidden}To{hidden}m\nand I{hidden}") == "Tom\nand I"


def test_letters_with_their_accents_are_composed() -> None:
    assert clean_line("Ine\u0300s") == "In\u00e8s"
    assert clean_line("Ine\u200b\u0300s") == "In\u00e8s"


@pytest.mark.parametrize(
    "shown",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f44d\U0001f3fd",  # a thumb with a tone of skin
        "\u2764\ufe0f\u200d\U0001f525",  # a heart on fire
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian needs its non-joiner
        "\u0915\u094d\u200d\u0937",  # so does Hindi its joiner
    ],
)
def test_joiners_stay_where_they_shape_what_is_shown(shown: str) -> None:
    assert clean_line(shown) == shown
    assert clean_lines(shown) == shown


@pytest.mark.parametrize("blank", ["", " ", "\u3164", "\u2800\u2800", "\u115f", "\u200b", "\u00a0"])
def test_a_text_in_which_nothing_shows_is_empty(blank: str) -> None:
    assert clean_line(blank) == ""
    assert clean_lines(blank) == ""


def test_a_line_is_one_line_whatever_breaks_it() -> None:
    assert clean_line("a\nb\r\nc\u2028d\x85e\tf  g") == "a b c d e f g"


def test_lines_break_alike_from_any_machine() -> None:
    assert clean_lines("\n a\r\nb\rc\u2028d\u2029e\tf \n") == "a\nb\nc\nd\ne\tf"


@given(troublesome)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean_line(clean_line(text)) == clean_line(text)
    assert clean_lines(clean_lines(text)) == clean_lines(text)


@given(troublesome)
def test_nothing_is_left_that_cannot_be_stored_or_logged(text: str) -> None:
    for cleaned in (clean_line(text), clean_lines(text)):
        cleaned.encode()
        assert unicodedata.is_normalized("NFC", cleaned)
        shown = [char for char in cleaned if char not in "\n\t"]
        assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in shown)


class TestACollationKey:
    @pytest.mark.parametrize(
        "text, key",
        [
            ("The Hobbit", "the_hobbit"),
            ("Ärger", "arger"),
            ("Émile Zola", "emile_zola"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("İstanbul", "istanbul"),
            ("  a \t b\n", "_a_b_"),
            ("C# in a Nutshell", "c_in_a_nutshell"),
            ("ﬁne", "fine"),
            ("Ⅷ", "viii"),
            ("日本語", "日本語"),
            ("!", "_"),
            ("###", "_"),
            ("", "_"),
        ],
    )
    def test_folds_what_readers_do_not_sort_by(self, text: str, key: str) -> None:
        assert collation_key(text) == key

    @given(st.text())
    def test_is_never_empty_and_never_ends_a_part_of_a_key(self, text: str) -> None:
        key = collation_key(text)

        assert key
        assert "#" not in key
        assert len(key.encode()) <= COLLATION_KEY_BYTES

    @given(st.text())
    def test_does_not_tell_spellings_of_one_text_apart(self, text: str) -> None:
        composed = unicodedata.normalize("NFC", text)
        decomposed = unicodedata.normalize("NFD", text)

        assert collation_key(composed) == collation_key(decomposed)

    @given(st.text(st.characters(codec="utf-8"), min_size=1), st.text(min_size=1))
    def test_puts_what_belongs_to_a_text_before_all_longer_texts(
        self, text: str, more: str
    ) -> None:
        own, longer = collation_key(text), collation_key(text + more)
        if longer.startswith(own) and longer != own:
            assert f"{own}#anything".encode() < longer.encode()

    def test_is_cut_at_a_whole_character(self) -> None:
        key = collation_key("語" * 1000)

        assert set(key) == {"語"}
        assert len(key.encode()) > COLLATION_KEY_BYTES - 3


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
