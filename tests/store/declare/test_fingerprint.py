"""What of a declaration decides how things are stored, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.store import Entity, Index, Keys, Table, number
from commonroom.store.declare import key_templates
from commonroom.store.declare.fingerprint import Fingerprint, fingerprint
from commonroom.store.declare.key_templates import Compute, key_version


def by_size(title: str, size: int | None) -> str | None:
    """How large it is."""
    return None if size is None else f"{size:05}{title}"


def declared(key: str | Compute) -> Fingerprint:
    """The fingerprint of a table with one index, whose key is made so."""
    things = Table(
        "Things",
        room="tests",
        partition="id",
        ttl="until",
        indexes=[Index("ByP", "P", number("when"))],
    )

    class Thing(Entity, table=things, rename="pascal"):
        title: str
        size: int | None = None
        id: str
        moment: int
        until: int | None = None

        keys = Keys(P=key, id="{id}", when="{moment}")

    return fingerprint(things)


def test_it_speaks_of_what_is_stored() -> None:
    assert declared("size#{size}#{title:lower}") == Fingerprint(
        key=["id S"],
        indexes={"ByP": ["P S", "when N", "ALL"]},
        entities={"Thing": {"P": "size#<Size>#<Title:lower>", "id": "<Id>", "when": "<Moment>"}},
        outside=["P", "id", "when"],
        ttl="until",
    )


def test_a_function_stands_in_it_with_its_version() -> None:
    assert declared(by_size).entities["Thing"]["P"] == "by_size v1 (Title, Size)"


def renamed(**version: Any) -> Compute:
    """The same under another name, perhaps with a version."""

    def sized(title: str, size: int | None) -> str | None:
        return by_size(title, size)

    return key_version(**version)(sized) if version else sized


def test_a_function_can_be_renamed_or_raised() -> None:
    before = declared(by_size)
    assert declared(renamed()) != before
    assert declared(renamed(number=1, name="by_size")) == before
    assert declared(renamed(number=2, name="by_size")) != before


def test_a_format_whose_version_is_raised_makes_another(monkeypatch: pytest.MonkeyPatch) -> None:
    before = declared("{title:lower}")
    monkeypatch.setattr(
        key_templates, "FORMAT_VERSIONS", {**key_templates.FORMAT_VERSIONS, "lower": 2}
    )
    assert declared("{title:lower}").entities["Thing"] != before.entities["Thing"]
    assert declared("{title:lower}").entities["Thing"]["P"] == "<Title:lower> lower v2"
