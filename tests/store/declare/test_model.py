"""A model refuses what cannot work, and shows itself as JSON and as a page of documentation."""

from __future__ import annotations

import pytest

from commonroom.model import MODEL
from commonroom.store import Entity, Index, Keys, Table, begins_with, keys_of, many, one
from commonroom.store.declare.model import Model, UnknownPattern
from commonroom.store.errors import BadDeclaration, UnknownTable


def table(name: str = "Things") -> Table:
    return Table(
        name,
        room="tests",
        partition="PK",
        sort="SK",
        discriminator="kind",
        indexes=[Index("ByName", "name", "SK"), Index("Keys", "kind", "name", keys_only=True)],
    )


class TestNames:
    def test_two_tables_of_one_name_are_refused(self) -> None:
        with pytest.raises(BadDeclaration, match="more than one table with the name “Things”"):
            Model([table(), table()])

    def test_two_patterns_of_one_table_must_have_two_names(self) -> None:
        things = table()

        class Thing(Entity, table=things, kind="THING"):
            name: str
            keys = Keys(PK="thing#{name}", SK="-")

        for _ in range(2):
            one(things, "Get it", gives=Thing)
        with pytest.raises(BadDeclaration, match="pattern of Things with the name “Get it”"):
            Model([things])

    def test_a_table_is_found_by_name(self) -> None:
        assert MODEL.table("Users").room == "movienight"
        with pytest.raises(UnknownTable, match=r"^The data model has no table users\.$"):
            MODEL.table("users")

    def test_a_pattern_is_found_by_name(self) -> None:
        assert MODEL.pattern("Cache lookup").table.name == "TmdbCache"
        with pytest.raises(UnknownPattern, match="no access pattern “Lookup”"):
            MODEL.pattern("Lookup")

    def test_where_two_models_use_the_same_words_the_table_decides(self) -> None:
        assert MODEL.pattern("Get user by email", "WorthWatch").condition == "email = <email>"
        with pytest.raises(UnknownPattern, match="of Users and WorthWatch: say which"):
            MODEL.pattern("Get user by email")


class TestReach:
    def test_an_entity_that_is_not_in_the_index_is_refused(self) -> None:
        things = table()

        class Nameless(Entity, table=things, kind="NAMELESS"):
            id: str
            keys = Keys(PK="thing#{id}", SK="-")

        many(things, "Find by name", index="ByName", partition="{name}", gives=Nameless)
        with pytest.raises(BadDeclaration, match="cannot give Nameless: it has no name"):
            Model([things])

    def test_a_prefix_that_no_such_entity_has_is_refused(self) -> None:
        things = table()

        class Thing(Entity, table=things, kind="THING"):
            id: str
            keys = Keys(PK="things", SK="thing#{id}")

        many(things, "Find", sort=begins_with("think#"), gives=Thing)
        with pytest.raises(BadDeclaration, match="begins with thing#, not with think#"):
            Model([things])

    def test_references_come_only_from_an_index_that_carries_keys_only(self) -> None:
        things = table()

        class Thing(Entity, table=things, kind="THING"):
            name: str
            keys = Keys(PK="thing#{name}", SK="-")

        by_kind = many(things, "All", index="Keys", partition="{kind}", gives=Thing)
        assert keys_of(by_kind).gives_keys
        with pytest.raises(BadDeclaration, match="keys-only"):
            keys_of(many(things, "By name", index="ByName", gives=Thing))


class TestAsJson:
    def test_it_has_tables_and_patterns(self) -> None:
        assert MODEL.as_json().keys() == {"tables", "patterns"}

    def test_a_table_says_its_key_indexes_ttl_and_stream(self) -> None:
        tables = {one["name"]: one for one in MODEL.as_json()["tables"]}
        assert tables["Invites"] == {
            "name": "Invites",
            "room": "movienight",
            "key": [{"name": "invite_id", "type": "S"}],
            "indexes": [
                {
                    "name": "token-index",
                    "key": [{"name": "invite_token", "type": "S"}],
                    "projection": "ALL",
                },
                {
                    "name": "group-invites-index",
                    "key": [
                        {"name": "group_id", "type": "S"},
                        {"name": "created_at", "type": "S"},
                    ],
                    "projection": "ALL",
                },
            ],
            "ttl": "ttl",
            "stream": False,
        }
        assert tables["Groups"]["ttl"] is None
        assert tables["InviterTable"]["indexes"][1]["key"][1] == {
            "name": "startTimestamp",
            "type": "N",
        }

    def test_a_pattern_says_where_and_how_it_looks_and_what_it_gives(self) -> None:
        patterns = {(one["table"], one["name"]): one for one in MODEL.as_json()["patterns"]}
        assert patterns["MediaLibrary", "Get all items in library"] == {
            "name": "Get all items in library",
            "table": "MediaLibrary",
            "index": None,
            "key_condition": (
                "PK = owner#<owner_id> AND begins_with(SK, library#<library_id>#item#)"
            ),
            "entities": ["Book", "Video"],
        }
        assert patterns["WorthWatch", "Get user by email"]["index"] == "GSI1"

    def test_all_five_rooms_are_there(self) -> None:
        rooms = {one["room"] for one in MODEL.as_json()["tables"]}
        assert {"movienight", "library", "shareables", "watchlists", "hangouts"} <= rooms


class TestAsMarkdown:
    def test_it_names_every_table_and_every_pattern(self) -> None:
        page = MODEL.as_markdown()
        for table in MODEL.tables:
            assert f"| `{table.name}` |" in page
        for pattern in MODEL.patterns:
            assert f"| {pattern.name} | `{pattern.table.name}` |" in page

    def test_a_function_says_in_words_what_it_makes(self) -> None:
        assert "| `GSI3SK` | `due#<due date, or a far future>#<item_id>`" in MODEL.as_markdown()
