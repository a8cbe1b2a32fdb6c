"""Names and descriptions: as long as they may be, trimmed, with something to see."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from commonroom.errors import InvalidField
from commonroom.library.rules import names


@pytest.mark.parametrize(
    "rule, longest",
    [(names.library_name, 20), (names.collection_name, 100), (names.borrower, 50)],
    ids=lambda value: getattr(value, "__name__", ""),
)
class TestAName:
    def test_has_as_many_characters_as_it_may_have(
        self, rule: Callable[[str], str], longest: int
    ) -> None:
        assert rule("é" * longest) == "é" * longest
        assert rule("🎬" * longest) == "🎬" * longest
        with pytest.raises(InvalidField, match=f"at most {longest} characters"):
            rule("x" * (longest + 1))

    @pytest.mark.parametrize(
        "nothing", ["", "   ", "\n\t", "\u200d", "\u3164", "\u202e", "\x00", " \u200b "]
    )
    def test_has_something_to_see(
        self, rule: Callable[[str], str], longest: int, nothing: str
    ) -> None:
        with pytest.raises(InvalidField):
            rule(nothing)

    def test_is_trimmed_and_on_one_line(self, rule: Callable[[str], str], longest: int) -> None:
        assert rule("  the \n  shelf\x00 ") == "the shelf"

    def test_is_composed_so_that_it_has_one_length(
        self, rule: Callable[[str], str], longest: int
    ) -> None:
        assert rule("e\u0301") == "é"

    def test_cannot_turn_what_follows_around(
        self, rule: Callable[[str], str], longest: int
    ) -> None:
        assert rule("a\u202eb") == "ab"

    def test_cannot_hold_half_of_a_character(
        self, rule: Callable[[str], str], longest: int
    ) -> None:
        assert rule("a\ud800") == "a"


@pytest.mark.parametrize(
    "rule, longest",
    [(names.library_description, 100), (names.collection_description, 500)],
    ids=lambda value: getattr(value, "__name__", ""),
)
class TestADescription:
    def test_has_as_many_characters_as_it_may_have(
        self, rule: Callable[[str | None], str | None], longest: int
    ) -> None:
        assert rule("x" * longest) == "x" * longest
        with pytest.raises(InvalidField, match=f"at most {longest}"):
            rule("x" * (longest + 1))

    @pytest.mark.parametrize("nothing", [None, "", "  \n "])
    def test_can_be_missing(
        self, rule: Callable[[str | None], str | None], longest: int, nothing: str | None
    ) -> None:
        assert rule(nothing) is None

    def test_keeps_its_lines(self, rule: Callable[[str | None], str | None], longest: int) -> None:
        assert rule("one\r\ntwo\rthree\x07") == "one\ntwo\nthree"
