"""A field is known wherever what has it is typed, shown or exported, or it is said why not."""

from __future__ import annotations

import pytest

from tests.house.fields import accounts, hangouts, library, movienight, shareables, watchlists
from tests.house.fields.surfaces import Travels

TRAVELS = (
    *accounts.TRAVELS,
    *movienight.TRAVELS,
    *library.TRAVELS,
    *shareables.TRAVELS,
    *watchlists.TRAVELS,
    *hangouts.TRAVELS,
)


@pytest.mark.parametrize("travels", TRAVELS, ids=lambda one: one.entity.__name__)
def test_every_surface_knows_every_field(travels: Travels) -> None:
    assert list(travels.find_faults()) == []


def test_a_new_field_is_missed_by_each_surface() -> None:
    (one,) = (one for one in library.TRAVELS if one.entity.__name__ == "Book")
    left_out = [it for it in one.left_out if "lent_to" not in it.fields]
    faults = set(one._replace(left_out=left_out).find_faults())
    assert {"rules of Book lacks lent_to", "form of Book lacks due_date"} <= faults


def test_an_excuse_that_is_none_any_more_is_told() -> None:
    (one,) = (one for one in library.TRAVELS if one.entity.__name__ == "Book")
    stale = one.left_out[0]._replace(fields="title", of="csv")
    assert list(one._replace(left_out=[*one.left_out, stale]).find_faults()) == [
        "csv of Book has title, which is left out"
    ]
