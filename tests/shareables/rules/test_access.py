"""The table of who may do what, cell by cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.errors import InvalidField
from commonroom.shareables.rules.access import (
    CODE_ALPHABET,
    Pass,
    Standing,
    new_code,
    next_version,
    pass_for,
    passcode,
    read_code,
    standing_of,
)
from commonroom.shareables.tables import Checklist
from tests.shareables.races.claiming import bare_list

OPEN = replace(bare_list("abc-def-12345"), creator_token_version=5)
VIEW_ONLY = replace(OPEN, view_passcode="hash", view_passcode_version=10)
ADMIN_ONLY = replace(OPEN, admin_passcode="hash", admin_passcode_version=20)
BOTH = replace(VIEW_ONLY, admin_passcode="hash", admin_passcode_version=20)

VIEWER: Standing = "view"
PAGES = {"no passcode": OPEN, "view only": VIEW_ONLY, "admin only": ADMIN_ONLY, "both": BOTH}
SHOWN: dict[str, tuple[Pass, ...]] = {
    "nothing": (),
    "view": (Pass("abc-def-12345", "view", 10),),
    "admin": (Pass("abc-def-12345", "admin", 20),),
    "creator": (Pass("abc-def-12345", "creator", 5),),
    "old view": (Pass("abc-def-12345", "view", 9),),
    "old admin": (Pass("abc-def-12345", "admin", 19),),
    "old creator": (Pass("abc-def-12345", "creator", 4),),
    "another page's": tuple(Pass("abc-def-99999", one, 10) for one in ("view", "admin", "creator")),
    "view's version as admin": (Pass("abc-def-12345", "admin", 10),),
    "admin's version as view": (Pass("abc-def-12345", "view", 20),),
}
TABLE: dict[str, dict[str, Standing]] = {
    "no passcode": {**dict.fromkeys(SHOWN, VIEWER), "creator": "creator"},
    "view only": {"view": "view", "creator": "creator"},
    "admin only": {**dict.fromkeys(SHOWN, VIEWER), "admin": "admin", "creator": "creator"},
    "both": {"view": "view", "admin": "admin", "creator": "creator"},
}
"""What somebody is who shows something; whoever is not named is left outside."""


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("protection", PAGES)
def test_a_pass_gives_what_the_table_says(protection: str, shown: str) -> None:
    assert standing_of(PAGES[protection], SHOWN[shown]) == TABLE[protection].get(shown)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_creators_account_counts_as_the_creators_pass(page: Checklist) -> None:
    mine = replace(page, created_by="ada")
    assert standing_of(mine, (), "ada") == "creator"
    assert standing_of(mine, (), "eve") == standing_of(page, ())
    assert standing_of(page, (), None) == standing_of(page, ()), "nobody is not nobody's account"


def test_of_several_passes_the_highest_counts() -> None:
    assert standing_of(BOTH, (*SHOWN["view"], *SHOWN["admin"])) == "admin"
    assert standing_of(BOTH, (*SHOWN["creator"], *SHOWN["view"])) == "creator"


def test_a_pass_that_a_page_gives_is_good_for_it() -> None:
    standings: tuple[Standing, ...] = ("view", "admin", "creator")
    for standing in standings:
        assert standing_of(BOTH, [pass_for(BOTH, standing)]) == standing


def test_a_pass_does_not_outlive_its_passcode() -> None:
    bare = replace(BOTH, view_passcode=None, admin_passcode=None)
    assert standing_of(bare, [pass_for(bare, "admin")]) == "view", "as anybody is"


@pytest.mark.parametrize(
    "typed, why",
    [
        ("", "6 to 64"),
        ("fig t", "6 to 64"),
        ("fig tree " * 8, "6 to 64"),
        ("190731", "digits, or add a letter"),
        ("928374655", "digits, or add a letter"),
        ("٩٢٨٣٧٤", "digits, or add a letter"),
        ("sunshine", "too common"),
        ("ABC123", "too common"),
        ("ababab", "too common"),
        ("1231231231", "too common"),
    ],
)
def test_a_passcode_that_is_soon_guessed_is_refused(typed: str, why: str) -> None:
    with pytest.raises(InvalidField, match=why):
        passcode(typed)


@pytest.mark.parametrize(
    "typed", ["fig tr", "190731a", "9283746550", "fig tree" * 8, "🦊🐝🐌🐢🦉🐻"]
)
def test_a_passcode_has_six_to_sixty_four_characters(typed: str) -> None:
    assert passcode(typed) == typed


@given(st.floats(0, 1e11), st.none() | st.integers(0, 10**15))
def test_a_version_is_always_later_than_the_one_before(now: float, before: int | None) -> None:
    assert next_version(now, before) > (before or -1)


class TestCodes:
    def test_are_of_eight_letters_that_nobody_confuses(self) -> None:
        code = new_code()
        assert len(code) == 8
        assert set(code) <= set(CODE_ALPHABET)
        assert not set("ilo01") & set(CODE_ALPHABET)

    def test_are_read_in_any_case(self) -> None:
        code = new_code()
        assert read_code(f" {code[:4].upper()}-{code[4:]} ") == code

    @given(st.text(max_size=60))
    def test_whatever_is_typed_is_a_code_or_none(self, typed: str) -> None:
        code = read_code(typed)
        assert code is None or (len(code) == 8 and set(code) <= set(CODE_ALPHABET))
