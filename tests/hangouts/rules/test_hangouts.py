"""What a hangout says of itself is bounded and clean."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.hangouts.rules import hangouts as rules
from commonroom.hangouts.rules.ids import time_ordered_id
from commonroom.hangouts.tables import Venue
from commonroom.ids import is_id


@pytest.mark.parametrize("text, kept", [("  Karaoke? ", "Karaoke?"), ("x" * 200, "x" * 200)])
def test_a_title_is_kept_clean(text: str, kept: str) -> None:
    assert rules.title(text) == kept


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "x" * 201])
def test_a_title_has_something_to_see_and_an_end(text: str) -> None:
    with pytest.raises(InvalidField):
        rules.title(text)


@pytest.mark.parametrize("text", ["javascript:alert(1)", "example.org", "https://", "https://a b"])
def test_a_link_leads_to_the_web(text: str) -> None:
    with pytest.raises(InvalidField):
        rules.link(text)


def test_no_link_is_no_link() -> None:
    assert rules.link(" ") is None
    assert rules.link("https://example.org/x") == "https://example.org/x"


def test_a_place_has_a_name() -> None:
    assert rules.place(Venue(name=" The pub ", address="")) == Venue(name="The pub")
    with pytest.raises(InvalidField, match="name"):
        rules.place(Venue(name=" "))


def test_groups_and_guests_are_bounded_and_each_there_once() -> None:
    assert rules.group_ids(["a", "b", "a"]) == ["a", "b"]
    assert rules.invited_user_ids(["eve", "ada", "eve"], "ada") == ["ada", "eve"]
    with pytest.raises(InvalidField):
        rules.group_ids([str(number) for number in range(11)])
    with pytest.raises(InvalidField):
        rules.invited_user_ids([str(number) for number in range(61)], "ada")


def test_later_ids_sort_after_earlier_ones() -> None:
    made = [time_ordered_id(1_800_000_000 + second / 1000) for second in range(50)]
    assert made == sorted(made)
    assert all(is_id(one) and one[14] == "7" for one in made)
