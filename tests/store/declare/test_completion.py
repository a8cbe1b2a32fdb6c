"""Items that lack what an entity needs are read by their keys, and by what it declares."""

from __future__ import annotations

import pytest
from msgspec import field

from commonroom.store import Entity, Keys, Missing, Table
from commonroom.store.declare.completion import canonical_key, completed, kind_of
from commonroom.store.errors import BadDeclaration, DamagedItem

notes = Table("Notes", room="tests", partition="PK", sort="SK", discriminator="kind")


def said_by(writer_id: str) -> str:
    """What is said of somebody."""
    return f"by {writer_id}"


class Note(Entity, table=notes, kind="NOTE"):
    writer_id: str
    number: int
    written_at: str
    text: str
    heading: str
    tags: list[str] = field(default_factory=list)

    missing = Missing(text="?", heading=said_by)
    keys = Keys(PK="writer#{writer_id}", SK="note#{number:03d}#{written_at:ms}")


KEY = {"PK": "writer#ada", "SK": "note#007#2026-01-20T14:00:00.000Z"}


def test_what_the_key_tells_is_taken_from_the_key() -> None:
    note = Note.from_item({**KEY, "kind": "NOTE"})
    assert (note.writer_id, note.number, note.written_at) == ("ada", 7, "2026-01-20T14:00:00.000Z")


def test_what_is_declared_stands_for_what_nobody_says() -> None:
    note = Note.from_item({**KEY, "kind": "NOTE"})
    assert (note.text, note.heading) == ("?", "by ada")


def test_what_the_item_says_counts() -> None:
    said = {"writer_id": "ada", "text": "Hello", "heading": "Mine", "kept": 1}
    item = completed(notes, {**KEY, **said})
    assert item == {
        **{**KEY, **said},
        **{"kind": "NOTE", "number": 7, "written_at": "2026-01-20T14:00:00.000Z"},
    }


def test_null_counts_as_absent() -> None:
    assert Note.from_item({**KEY, "kind": "NOTE", "tags": None}).tags == []


def test_whole_items_are_left_as_they_are() -> None:
    whole = Note(
        writer_id="ada", number=7, written_at="2026-01-20T14:00:00.000Z", text="t", heading="h"
    )
    item = whole.to_item()
    assert completed(notes, item) is item


def test_an_item_of_a_wrong_type_is_damaged_still() -> None:
    with pytest.raises(DamagedItem, match="text"):
        Note.from_item({**KEY, "kind": "NOTE", "text": 7})


def test_keys_of_no_kind_are_of_no_kind() -> None:
    assert kind_of(notes, {"PK": "writer#ada", "SK": "note#seven#now"}) is None
    assert kind_of(notes, KEY) == "NOTE"


def test_a_moment_in_a_key_is_written_to_the_millisecond() -> None:
    assert canonical_key(Note, ("writer#ada", "note#007#2026-01-20T15:00:00+01:00")) == (
        "writer#ada",
        "note#007#2026-01-20T14:00:00.000Z",
    )


def test_a_field_that_is_never_missing_cannot_be_declared_so() -> None:
    with pytest.raises(BadDeclaration, match="tags"):

        class Other(Entity, table=notes, kind="OTHER"):
            writer_id: str
            tags: list[str] = field(default_factory=list)
            missing = Missing(tags=["?"])
            keys = Keys(PK="other#{writer_id}", SK="x")
