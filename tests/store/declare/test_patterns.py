from typing import Any

import pytest

from commonroom.store import (
    Entity,
    Index,
    Keys,
    Table,
    begins_with,
    between,
    copies,
    equal_to,
    greater_than,
    keys_of,
    less_than,
    many,
    one,
)
from commonroom.store.engine import SortRange
from commonroom.store.errors import BadDeclaration, BadKey, UnknownField

things = Table(
    "Things",
    room="tests",
    partition="PK",
    sort="SK",
    discriminator="Kind",
    indexes=[Index("GSI1", "GSI1PK", "GSI1SK"), Index("Keys", "Owner", keys_only=True)],
)


class Thing(Entity, table=things, kind="THING"):
    thing_id: str
    owner: str | None = None

    keys = Keys(
        PK="thing#{thing_id}", SK="about", GSI1PK="all", GSI1SK="{thing_id}", Owner="{owner}"
    )


class Part(Entity, table=things, kind="PART"):
    thing_id: str
    part_id: str
    thing_name: str | None = None

    keys = Keys(PK="thing#{thing_id}", SK="part#{part_id}", GSI1PK="parts", GSI1SK="{part_id}")


class TestAPattern:
    def test_takes_the_partition_that_its_entities_agree_on(self) -> None:
        pattern = many(things, "a thing and its parts", gives=(Thing, Part))

        assert pattern.condition == "PK = thing#<thing_id>"
        assert pattern.parameters == ("thing_id",)
        assert pattern(thing_id="t").partition == "thing#t"

    def test_must_say_its_partition_where_they_do_not(self) -> None:
        with pytest.raises(BadDeclaration, match="must say its partition"):
            many(things, "everything", index="GSI1", gives=(Thing, Part))

        pattern = many(things, "said", index="GSI1", gives=(Thing, Part), partition="all")
        assert pattern().partition == "all"

    @pytest.mark.parametrize(
        "sort, shown, expected",
        [
            (begins_with("part#{p}"), "begins_with(SK, part#<p>)", ("begins_with", "part#x", None)),
            (equal_to("part#{p}"), "SK = part#<p>", ("=", "part#x", None)),
            (greater_than("part#{p}"), "SK > part#<p>", (">", "part#x", None)),
            (less_than("part#{p}"), "SK < part#<p>", ("<", "part#x", None)),
            (
                between("part#{p}", "part#{q}"),
                "SK BETWEEN part#<p> AND part#<q>",
                ("between", "part#x", "part#y"),
            ),
        ],
    )
    def test_asks_for_a_range(self, sort: Any, shown: str, expected: Any) -> None:
        pattern = many(things, f"by {shown}", gives=Part, sort=sort)

        assert pattern.condition == f"PK = thing#<thing_id> AND {shown}"
        assert pattern(thing_id="t", p="x", q="y").sort == SortRange(*expected)

    def test_of_one_names_the_whole_key(self) -> None:
        pattern = one(things, "a part", gives=Part)

        assert pattern.condition == "PK = thing#<thing_id> AND SK = part#<part_id>"
        assert pattern.one

    def test_says_what_it_needs(self) -> None:
        pattern = one(things, "another part", gives=Part)

        with pytest.raises(UnknownField, match="“another part” needs part_id"):
            pattern(thing_id="t")
        with pytest.raises(BadKey, match="needs a value for each of thing_id, part_id"):
            pattern(thing_id="t", part_id=None)
        with pytest.raises(BadKey):
            pattern(thing_id="t", part_id="a#b")

    def test_through_keys_only_gives_references(self) -> None:
        pattern = keys_of(many(things, "owned", index="Keys", gives=Thing))
        item = {"Owner": "ann", "PK": "thing#t", "SK": "about"}

        ref = pattern.decoder.from_item(item)

        assert (ref.entity, ref.key) == (Thing, ("thing#t", "about"))

    def test_through_anything_else_does_not(self) -> None:
        with pytest.raises(BadDeclaration, match="keys-only"):
            keys_of(many(things, "parts", gives=Part))

    def test_through_no_index_is_refused(self) -> None:
        with pytest.raises(BadDeclaration, match="no index GSI9"):
            many(things, "nowhere", index="GSI9", gives=Thing)


class TestCopies:
    def test_know_where_their_original_is_and_what_it_says(self) -> None:
        copy = copies(
            Part,
            on=Part,
            fields={"part_id": "thing_name"},
            refers={"thing_id": "thing_id", "part_id": "part_id"},
            known=lambda part: [part.ref],
        )
        part = Part(thing_id="t", part_id="p")

        assert copy.original(part) == part.ref
        assert copy.values(part) == {"thing_name": "p"}
        assert copy.values(None) == {"thing_name": None}
        assert copy in things.copies

    def test_have_no_original_where_a_part_of_its_key_is_missing(self) -> None:
        copy = copies(
            Thing,
            on=Part,
            fields={"owner": "thing_name"},
            refers={"thing_id": "thing_name"},
            known=lambda _: [],
        )

        assert copy.original(Part(thing_id="t", part_id="p")) is None

    def test_are_either_known_or_found(self) -> None:
        with pytest.raises(BadDeclaration, match="either known or found"):
            copies(Thing, on=Part, fields={"owner": "thing_name"}, refers={"thing_id": "thing_id"})

    def test_refer_to_the_whole_key_of_their_original(self) -> None:
        with pytest.raises(BadDeclaration, match="whole primary key"):
            copies(Part, on=Thing, fields={}, refers={"thing_id": "thing_id"}, known=lambda _: [])

    @pytest.mark.parametrize(
        "fields", [{"owner": "colour"}, {"colour": "thing_name"}], ids=["carrier", "original"]
    )
    def test_are_of_fields_that_are_there(self, fields: dict[str, str]) -> None:
        with pytest.raises(BadDeclaration, match="lacks colour"):
            copies(
                Thing, on=Part, fields=fields, refers={"thing_id": "thing_id"}, known=lambda _: []
            )
