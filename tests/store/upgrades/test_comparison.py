"""Which differences between two declarations touch what is stored."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.store.declare.fingerprint import Fingerprint
from commonroom.store.upgrades.comparison import common, compare, merge

BEFORE = Fingerprint(
    key=["PK S"],
    indexes={"I": ["GPK S", "GSK N", "ALL"]},
    entities={"BOOK": {"PK": "<Id>", "GPK": "a#<A>", "GSK": "<B>"}, "FILM": {"PK": "f#<Id>"}},
    outside=["GPK", "GSK", "PK"],
    discriminator="Kind",
)


def with_keys(kind: str, **templates: str) -> Fingerprint:
    return replace(BEFORE, entities=BEFORE.entities | {kind: templates})


@pytest.mark.parametrize(
    "now, unfilled",
    [
        (BEFORE, {}),
        (replace(BEFORE, indexes=BEFORE.indexes | {"J": ["GPK S", "ALL"]}), {}),
        (replace(BEFORE, stream=True, ttl="Until"), {}),
        (with_keys("BOOK", PK="<Id>", GPK="b#<A>", GSK="<B>"), {"BOOK": {"GPK"}}),
        (with_keys("BOOK", PK="<Id>"), {"BOOK": {"GPK", "GSK"}}),
        (with_keys("FILM", PK="f#<Id>", GPK="x"), {"FILM": {"GPK"}}),
        (with_keys("DISC", PK="d#<Id>", GPK="x"), {}),  # nothing of a new kind is stored
    ],
)
def test_keys_that_are_derived_otherwise_are_to_be_filled(
    now: Fingerprint, unfilled: dict[str, set[str]]
) -> None:
    found = compare(BEFORE, now)
    assert {kind: set(names) for kind, names in found.unfilled.items()} == unfilled
    assert not found.conflicts


@pytest.mark.parametrize(
    "now, why",
    [
        (replace(BEFORE, key=["PK N"]), "primary key"),
        (replace(BEFORE, key=["PK S", "SK S"]), "primary key"),
        (replace(BEFORE, discriminator="Type"), "told apart by"),
        (replace(BEFORE, indexes={"I": ["GPK S", "GSK S", "ALL"]}), "type of GSK"),
        (with_keys("FILM", PK="film#<Id>"), "PK of FILM"),
    ],
)
def test_what_stored_items_cannot_follow_is_a_conflict(now: Fingerprint, why: str) -> None:
    assert any(why in one for one in compare(BEFORE, now).conflicts)


def test_an_attribute_that_things_expire_by_stays() -> None:
    expiring = replace(BEFORE, ttl="Until")
    assert "expired by Until" in compare(expiring, BEFORE).conflicts[0]


def test_a_class_may_be_renamed_where_no_kind_is_stored() -> None:
    plain = replace(BEFORE, discriminator=None, entities={"Book": {"PK": "<Id>", "GPK": "a#<A>"}})
    renamed = replace(plain, entities={"Volume": plain.entities["Book"]})
    other = replace(plain, entities={"Volume": {"PK": "<Id>", "GPK": "b#<A>"}})
    assert compare(plain, renamed).covered
    assert compare(plain, other).unfilled == {"Volume": {"GPK"}}


def test_a_kind_that_is_no_longer_declared_is_remembered() -> None:
    without = replace(BEFORE, entities={"BOOK": BEFORE.entities["BOOK"]})
    assert merge(BEFORE, without) == BEFORE


def test_of_two_declarations_only_what_they_agree_on_is_sure() -> None:
    other = with_keys("BOOK", PK="<Id>", GPK="b#<A>", GSK="<B>")
    assert common(BEFORE, other).entities["BOOK"] == {"PK": "<Id>", "GSK": "<B>"}
    assert compare(common(BEFORE, other), BEFORE).unfilled == {"BOOK": {"GPK"}}
