"""Nobody changes by accident how things are stored or found."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from commonroom.model import MODEL, first_declarations
from commonroom.store import Table
from commonroom.store.declare.fingerprint import Fingerprint, fingerprint
from tests.support.declarations import RECORDED, declarations

RECORD = "`python -m tests.support.declarations` records it"


def test_what_is_declared_is_what_was_recorded() -> None:
    recorded, now = msgspec.json.decode(RECORDED.read_bytes()), declarations()
    assert now["tables"] == recorded["tables"], (
        "Keys, indexes or kinds have changed: raise `version` of the table where it is the last "
        f"release's, say in CHANGELOG.md what an upgrade does, then {RECORD}."
    )


@pytest.mark.parametrize("what", ["functions", "formats"])
def test_what_keys_are_made_with_is_what_was_recorded(what: str) -> None:
    recorded, now = msgspec.json.decode(RECORDED.read_bytes()), declarations()
    assert now[what] == recorded[what], (
        "A function that makes keys has changed. If it makes another key of the same fields, raise "
        f"its `key_version` (or FORMAT_VERSIONS) and the table's `version`; then {RECORD}."
    )


@pytest.mark.parametrize("table", MODEL.tables, ids=lambda table: table.name)
def test_a_table_that_is_not_as_in_the_first_version_has_another_version(table: Table) -> None:
    first = first_declarations().get(table.name)
    if first is not None and table.version == 1:
        assert stored_form(fingerprint(table)) == stored_form(first), (
            f"raise `version` of {table.name} to 2"
        )


def stored_form(declared: Fingerprint) -> Fingerprint:
    """A fingerprint without names of classes, which are stored nowhere and may change."""
    if declared.discriminator is not None:
        return declared
    return replace(declared, entities=dict(enumerate(declared.entities.values())))
