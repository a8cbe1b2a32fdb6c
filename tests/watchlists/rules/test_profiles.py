"""Usernames and what somebody says about themselves."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.watchlists.rules import profiles


@pytest.mark.parametrize("name", ["ada", "Ada.Lovelace", "a_b-c", "a" * 30, " ada "])
def test_a_username_has_letters_digits_and_signs_between(name: str) -> None:
    assert profiles.username(name) == name.strip()


@pytest.mark.parametrize(
    "name", ["ab", "a" * 31, "", "-ada", "ada.", "a d a", "ada#1", "ädä", "ada/..", "ad\u0430"]
)
def test_other_usernames_are_refused(name: str) -> None:
    with pytest.raises(InvalidField):
        profiles.username(name)


@pytest.mark.parametrize(
    "shown, first",
    [
        ("Ada", "ada"),
        ("Élodie Dûrand", "elodie-durand"),
        ("Bo", "bo-reader"),
        ("李小龙", "reader"),
        ("x" * 30, "x" * 26),
    ],
)
def test_a_username_is_suggested_by_what_somebody_is_called(shown: str, first: str) -> None:
    names = list(profiles.suggested_usernames(shown))
    assert names[0] == first
    assert len(set(names)) == len(names)
    assert all(profiles.username(name) == name for name in names)


def test_a_bio_has_up_to_500_characters() -> None:
    assert profiles.bio("  Films.  ") == "Films."
    assert profiles.bio("") is None
    with pytest.raises(InvalidField):
        profiles.bio("x" * 501)
