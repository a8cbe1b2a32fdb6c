"""Whatever a declaration has otherwise than stated is found, and is to be explained."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from msgspec import Struct

from commonroom.data_models.report import problems
from commonroom.store import Entity, Index, Keys, Table, number
from commonroom.store.declare.model import Model
from commonroom.store.errors import BadDeclaration
from tests.data_models.parcels import BY_CITY, STATED, compared, declared, found


def test_a_declaration_that_keeps_to_the_letter_has_nothing_to_explain() -> None:
    comparison = compared()
    assert found(comparison) == []
    assert comparison.stale == []
    assert comparison.holds


class TestAChangedTable:
    @pytest.mark.parametrize(
        "changes, difference",
        [
            ({"stream": False}, ("stream Parcels", "yes", "–")),
            ({"ttl": None}, ("TTL Parcels", "`ttl`", "–")),
            (
                {"indexes": [Index("ByCity", "city", number("weight"), keys_only=True)]},
                ("index Parcels.ByCity", "`ALL`", "`KEYS_ONLY`"),
            ),
            (
                {"indexes": [BY_CITY, Index("ByStatus", "status")]},
                ("index Parcels.ByStatus", "–", "`status S`"),
            ),
        ],
    )
    def test_is_found(self, changes: dict[str, Any], difference: tuple[str, str, str]) -> None:
        assert difference in found(compared(declared(**changes)))

    def test_that_is_missing_is_found_with_all_in_it(self) -> None:
        assert {subject for subject, _, _ in found(compared(Model([])))} >= {
            "table Parcels",
            "entity Parcel",
        }

    def test_that_was_added_needs_a_reason_as_well(self) -> None:
        crates = Table("Crates", room="tests", partition="crate_id")
        assert found(compared(Model([*declared().tables, crates]))) == [
            ("table Crates", "–", "`Crates`")
        ]

    def test_of_another_room_is_none_of_its_concern(self) -> None:
        crates = Table("Crates", room="elsewhere", partition="crate_id")
        assert compared(Model([*declared().tables, crates])).holds

    def test_with_another_kind_is_found_with_its_key(self) -> None:
        model = declared()

        class Crate(Entity, table=model.tables[0], kind="CRATE"):
            crate_id: str
            keys = Keys(PK="crate#{crate_id}", SK="METADATA")

        assert found(compared(model)) == [
            ("kind CRATE", "–", "Crate: `crate#<crate_id>`, `METADATA`")
        ]


class Renamed(Struct):
    """A stop that is stored by another name."""

    stop: str


class TestAChangedAttribute:
    def test_that_may_be_more_than_stated_is_found(self) -> None:
        model = declared(statuses=Literal["sent", "lost", "found"])
        assert found(compared(model)) == [
            ("attribute Parcel.status", "`sent`, `lost`", "`sent`, `lost`, `found`")
        ]

    def test_of_another_type_is_found(self) -> None:
        assert found(compared(declared(statuses=int))) == [
            ("attribute Parcel.status", "`S`", "`N`")
        ]

    def test_inside_a_list_is_found(self) -> None:
        assert found(compared(declared(stop_of=Renamed))) == [
            ("attribute Stop.stop", "–", "added"),
            ("attribute Stop.stopName", "`S`", "–"),
        ]

    @pytest.mark.parametrize(
        "stated, other, difference",
        [
            ('weight = "N"', 'weight = "N?"', ("weight", "may be absent", "required")),
            ('city = "S?"', 'city = "S!"', ("city", "required", "may be absent")),
            (
                "default = false",
                "default = true",
                ("isFragile", "True by default", "False by default"),
            ),
            ('tags = "L"', 'tag = "L"', ("tag", "`L`", "–")),
            ('values = ["PARCEL"]', 'values = ["BOX"]', ("kind", "`BOX`", "`PARCEL`")),
        ],
    )
    def test_is_found_whatever_is_otherwise(
        self, stated: str, other: str, difference: tuple[str, str, str]
    ) -> None:
        name, says, here = difference
        differing = found(compared(stated=STATED.replace(stated, other)))
        assert differing == [(f"attribute Parcel.{name}", says, here)]

    def test_that_was_added_is_listed_and_needs_no_reason(self) -> None:
        comparison = compared(stated=STATED.replace('tags = "L"\n', ""))
        assert comparison.holds
        assert comparison.added == {"Parcel": ["tags"]}


class TestAChangedKey:
    def test_is_found_by_its_form(self) -> None:
        stated = STATED.replace('keys.PK = "parcel#<parcelId>"', 'keys.PK = "box#<parcelId>"')
        assert found(compared(stated=stated)) == [
            ("key Parcel.PK", "`box#<parcelId>`", "`parcel#<parcelId>`")
        ]

    def test_is_found_by_an_example(self) -> None:
        stated = STATED.replace('PK = "parcel#7"', 'PK = "PARCEL#7"')
        assert found(compared(stated=stated)) == [("key Parcel.PK", "`PARCEL#7`", "`parcel#7`")]


class TestAChangedLimit:
    def test_is_found(self) -> None:
        stated = STATED.replace("value = 30", "value = 40")
        assert found(compared(stated=stated)) == [
            ("limit Parcel.city", "40 characters", "30 characters")
        ]

    def test_without_its_constant_is_a_mistake_that_no_reason_excuses(self) -> None:
        stated = STATED.replace("MAX_NAME", "GONE") + (
            '[[deviations]]\nof = ["limit Parcel.city"]\nbecause = "it is so"\n'
        )
        comparison = compared(stated=stated)
        assert [one.is_mistake for one in comparison.unexplained] == [True]
        assert comparison.stale == ["limit Parcel.city"]


class TestAReason:
    def test_that_is_missing_is_said(self) -> None:
        model = declared(stream=False)
        assert list(problems(compared(model))) == [
            "parcels: stream Parcels: yes → – (no reason is given)"
        ]

    def test_explains_what_it_names(self) -> None:
        stated = STATED + '[[deviations]]\nof = ["stream Parcels"]\nbecause = "nobody listens"\n'
        comparison = compared(declared(stream=False), stated)
        assert comparison.holds
        assert comparison.explained[-1].reason.because == "nobody listens"
        assert [one.subject for one in comparison.explained[-1].differences] == ["stream Parcels"]

    def test_for_what_no_longer_differs_is_said(self) -> None:
        stated = STATED + '[[deviations]]\nof = ["stream Parcels"]\nbecause = "nobody listens"\n'
        assert list(problems(compared(stated=stated))) == [
            "parcels: stream Parcels: a reason is given, and nothing differs"
        ]


@pytest.mark.parametrize("wrong", ['titel = "x"', "tables = 3", "[[patterns"])
def test_a_statement_that_cannot_be_read_is_refused_with_a_sentence(wrong: str) -> None:
    with pytest.raises(BadDeclaration, match="The statement parcels cannot be read: "):
        compared(stated=wrong + "\n" + STATED)
