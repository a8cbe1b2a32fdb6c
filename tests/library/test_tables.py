"""The library's table is its data model's, texts in sort form and an index for what is away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.accounts.tables import users
from commonroom.library.tables import (
    Book,
    Collection,
    CollectionName,
    Library,
    LoanEvent,
    SharedLibrary,
    Video,
    contents,
    history,
    items_by_title,
    items_in_collection,
    items_in_library,
    libraries,
    loans,
    media,
    overdue_loans,
    owned,
    owner_id_of,
    shelf,
)
from commonroom.store import BoundPattern, Entity, Store, create, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import BadKey
from commonroom.store.limits import check_item
from tests.support.table_summaries import facts, key_attributes, pattern_facts, stored_attributes

NOW = "2026-01-15T10:30:00.123Z"
ACCOUNT = "123e4567-e89b-12d3-a456-426614174000"
OWNER = "123E4567E89B12D3A456426614174000"
PLACE: dict[str, Any] = {"owner_id": OWNER, "library_id": "L", "account_id": ACCOUNT}
ON_SHELF = f"owner#{OWNER}#library#L"

LIBRARY = Library(**PLACE, library_name="Chez Zoé", updated_at=NOW)
DRAGONLANCE = Collection(
    owner_id=OWNER, library_id="L", collection_id="C1", name="Chroniques de Dragonlance"
)
AMBER = Collection(
    owner_id=OWNER, library_id="L", collection_id="C2", name="Cycle des princes d'Ambre"
)

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=100)


def book(item_id: str, title: str, collection: Collection | None = None, order: int = 0) -> Book:
    if collection is None:
        return Book(**PLACE, item_id=item_id, title=title)
    return Book(
        **PLACE,
        item_id=item_id,
        title=title,
        collection_id=collection.collection_id,
        collection_name=collection.name,
        order=order,
    )


ANGELO = book("I1", "Angelo")
AUTUMN = book("I2", "Dragons d'un crépuscule d'automne", DRAGONLANCE, 1)
WINTER = book("I3", "Dragons d'une nuit d'hiver", DRAGONLANCE, 2)
NINE = book("I4", "Les 9 princes d'ambre", AMBER, 1)
CHAOS = book("I5", "Prince du Chaos", AMBER, 10)
COLLAPSE = Video(**PLACE, item_id="I6", title="Effondrement")
LENT = LoanEvent(
    owner_id=OWNER, library_id="L", item_id="I1", type="LENT", event="Bob", updated_at=NOW
)


def test_the_table_is_the_models_with_a_third_index() -> None:
    assert facts(media) == {
        "key": "PK S, SK S",
        "indexes": {
            "GSI1": "GSI1PK S, GSI1SK S; ALL",
            "GSI2": "GSI2PK S, GSI2SK S; ALL",
            "GSI3": "GSI3PK S, GSI3SK S; ALL",
        },
        "ttl": None,
        "stream": True,
    }


def test_the_kinds_are_the_models_and_what_its_rules_need_beyond() -> None:
    stated = {"LIBRARY", "COLLECTION", "BOOK", "VIDEO", "EVENT", "SHARED_LIBRARY"}
    assert media.discriminator == "EntityType"
    beyond = {"COLLECTION_NAME", "ITEM_CODE", "MOVED_ITEM", "BORROWED_ITEM"} | {
        "IMPORT",
        "IMPORT_ROWS",
        "IMPORT_REPORT",
    }
    assert set(media.entities) == stated | beyond


@pytest.mark.parametrize(
    "entity, attributes",
    [
        (
            Library,
            "OwnerId LibraryId LibraryName Description TotalItems SharedTo UpdatedAt EntityType",
        ),
        (Collection, "OwnerId LibraryId CollectionId Name Description ItemCount"),
        (
            Book,
            "OwnerId LibraryId ItemId Title Authors Summary Isbn PictureUrl CollectionId"
            " CollectionName Order Type LentTo LibraryName OwnerName",
        ),
        (
            Video,
            "OwnerId LibraryId ItemId Title Summary Directors Cast ReleaseYear Duration TmdbId"
            " PictureUrl CollectionId CollectionName Order Type LentTo LibraryName OwnerName",
        ),
        (LoanEvent, "Type Event UpdatedAt"),
        (SharedLibrary, "SharedToId SharedFromId SharedFromName LibraryId"),
    ],
)
def test_no_attribute_of_the_model_is_renamed_or_dropped(
    entity: type[Entity], attributes: str
) -> None:
    assert set(attributes.split()) <= stored_attributes(entity)


@pytest.mark.parametrize(
    "thing, keys",
    [
        (
            LIBRARY,
            {
                "PK": f"owner#{OWNER}",
                "SK": "library#L",
                "GSI1PK": f"owner#{OWNER}",
                "GSI1SK": "library#chez_zoe",
            },
        ),
        (
            DRAGONLANCE,
            {
                "PK": f"owner#{OWNER}",
                "SK": "library#L#collection#C1",
                "GSI1PK": ON_SHELF,
                "GSI1SK": "item#chroniques_de_dragonlance",
            },
        ),
        (
            CollectionName(
                owner_id=OWNER, library_id="L", name="ÉTÉ à la  mer", collection_id="C3"
            ),
            {"PK": f"owner#{OWNER}", "SK": "library#L#name#ete_a_la_mer"},
        ),
        (
            AUTUMN,
            {
                "PK": f"owner#{OWNER}",
                "SK": "library#L#item#I2",
                "GSI1PK": ON_SHELF,
                "GSI1SK": (
                    "item#chroniques_de_dragonlance#00001#dragons_d'un_crepuscule_d'automne"
                ),
                "GSI2PK": f"owner#{OWNER}",
                "GSI2SK": "item#dragons_d'un_crepuscule_d'automne",
            },
        ),
        (
            COLLAPSE,
            {
                "PK": f"owner#{OWNER}",
                "SK": "library#L#item#I6",
                "GSI1PK": ON_SHELF,
                "GSI1SK": "item#effondrement",
                "GSI2PK": f"owner#{OWNER}",
                "GSI2SK": "item#effondrement",
            },
        ),
        (
            LENT,
            {
                "PK": f"owner#{OWNER}",
                "SK": f"library#L#item#I1#event#{NOW}",
                "GSI1PK": f"{ON_SHELF}#item#I1",
                "GSI1SK": f"event#{NOW}",
            },
        ),
        (
            SharedLibrary(
                shared_to_id="BOB",
                shared_from_id=OWNER,
                shared_from_account_id=ACCOUNT,
                library_id="L",
            ),
            {
                "PK": "owner#BOB",
                "SK": "shared-library#L",
                "GSI3PK": f"owner#{OWNER}#shared",
                "GSI3SK": "library#L#BOB",
            },
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Entity) else "",
)
def test_keys_are_built_as_the_model_has_them(thing: Entity, keys: dict[str, Any]) -> None:
    assert key_attributes(thing) == keys


@pytest.mark.parametrize(
    "thing, place",
    [
        (ANGELO, "item#angelo"),
        (DRAGONLANCE, "item#chroniques_de_dragonlance"),
        (WINTER, "item#chroniques_de_dragonlance#00002#dragons_d'une_nuit_d'hiver"),
        (AMBER, "item#cycle_des_princes_d'ambre"),
        (NINE, "item#cycle_des_princes_d'ambre#00001#les_9_princes_d'ambre"),
        (CHAOS, "item#cycle_des_princes_d'ambre#00010#prince_du_chaos"),
    ],
    ids=lambda value: "" if isinstance(value, Entity) else value,
)
def test_the_models_examples_stand_on_the_shelf_in_sort_form(thing: Entity, place: str) -> None:
    assert thing.to_item()["GSI1SK"] == place


@example(name="Foo", other="Foo Bar", title="Zebra", order=1)
@example(name="Foo", other="Foo!", title="Zebra", order=1000)
@given(name=NAMES, other=NAMES, title=NAMES, order=st.integers(1, 1000))
def test_members_follow_their_collection_directly(
    name: str, other: str, title: str, order: int
) -> None:
    collection = Collection(owner_id=OWNER, library_id="L", collection_id="C", name=name)
    place = collection.to_item()["GSI1SK"]
    member = book("1", title, collection, order).to_item()["GSI1SK"]
    standing_alone = book("2", other).to_item()["GSI1SK"]
    assert place < member
    assert not place < standing_alone < member


@pytest.mark.parametrize("title", ["#", "C#", "  ", "́", "ﷺ" * 100, "🎬" * 100])
def test_no_title_breaks_a_key(title: str) -> None:
    long = Collection(owner_id=OWNER, library_id="L", collection_id="C", name="ﷺ" * 100)
    check_item(media, book("1", title, long, 1000).to_item())


def test_the_account_is_written_in_keys_without_dashes_in_upper_case() -> None:
    assert owner_id_of(ACCOUNT) == OWNER


def test_types_are_the_models_numbers() -> None:
    assert (ANGELO.to_item()["Type"], COLLAPSE.to_item()["Type"]) == (0, 1)


def test_an_item_is_among_the_loans_only_while_it_is_lent() -> None:
    assert not {"GSI3PK", "GSI3SK"} & ANGELO.to_item().keys()
    lent = key_attributes(replace(ANGELO, lent_to="Bob", due_date="2026-02-01"))
    assert lent["GSI3PK"] == f"owner#{OWNER}#lent"
    assert lent["GSI3SK"] == "due#2026-02-01#I1"
    open_end = key_attributes(replace(ANGELO, lent_to="Bob"))
    assert open_end["GSI3SK"] == "due#9999-12-31#I1"


def test_events_sort_by_time_however_it_is_written() -> None:
    early = replace(LENT, updated_at="2026-01-15T11:30:00+01:00")
    assert early.to_item()["GSI1SK"] == "event#2026-01-15T10:30:00.000Z"
    with pytest.raises(BadKey, match="time zone"):
        replace(LENT, updated_at="2026-01-15T11:30:00").to_item()


@pytest.mark.parametrize(
    "name, index",
    [
        ("Get all libraries for user", None),
        # The data model's “all collections in library” through GSI1 finds nothing: this one does.
        ("Get all collections in library", None),
        ("Get all items in library", None),
        ("Get all events for item", None),
        ("Get shared libraries", None),
        ("all libraries sorted by name", "GSI1"),
        ("all items + collections in library, sorted alphabetically", "GSI1"),
        ("all history events chronologically", "GSI1"),
        ("all items (books + videos) across all libraries, sorted by title", "GSI2"),
    ],
)
def test_every_access_pattern_of_the_model_is_declared(name: str, index: str | None) -> None:
    assert (name, index) in pattern_facts(media)


def test_names_that_stand_elsewhere_too_are_declared_as_copies() -> None:
    declared = {
        (carrier, field, copy.of.__name__, name)
        for copy in [*media.copies, *users.copies]
        for carrier in copy.on
        for name, field in copy.fields.items()
        if carrier.schema.table is media
    }
    assert declared == {
        (Book, "collection_name", "Collection", "name"),
        (Video, "collection_name", "Collection", "name"),
        (Book, "library_name", "Library", "library_name"),
        (Video, "library_name", "Library", "library_name"),
        (SharedLibrary, "library_name", "Library", "library_name"),
        (Library, "owner_name", "User", "display_name"),
        (Book, "owner_name", "User", "display_name"),
        (Video, "owner_name", "User", "display_name"),
        (SharedLibrary, "shared_from_name", "User", "display_name"),
    }


class TestInAStore:
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        store = Store(EmbeddedEngine(tmp_path / "store.db", [media], durability="OFF"))
        things = [LIBRARY, CHAOS, COLLAPSE, AMBER, NINE, DRAGONLANCE, WINTER, ANGELO, AUTUMN, LENT]
        await store.write(*map(create, things))
        yield store
        await store.close()

    async def test_the_shelf_is_in_the_order_of_the_models_example(self, store: Store) -> None:
        page = await store.page(shelf(owner_id=OWNER, library_id="L"))
        in_order = [ANGELO, DRAGONLANCE, AUTUMN, WINTER, AMBER, NINE, CHAOS, COLLAPSE]
        assert page.items == in_order

    async def test_all_items_of_a_library_are_its_books_and_videos_only(self, store: Store) -> None:
        page = await store.page(items_in_library(owner_id=OWNER, library_id="L"))
        assert page.items == [ANGELO, AUTUMN, WINTER, NINE, CHAOS, COLLAPSE]

    @pytest.mark.parametrize(
        "asked, expected",
        [
            (libraries(owner_id=OWNER), [LIBRARY]),
            (history(owner_id=OWNER, library_id="L", item_id="I1"), [LENT]),
            (
                items_by_title(owner_id=OWNER),
                [ANGELO, AUTUMN, WINTER, COLLAPSE, NINE, CHAOS],
            ),
            (
                items_in_collection(owner_id=OWNER, library_id="L", collection_name=AMBER.name),
                [NINE, CHAOS],
            ),
        ],
        ids=["libraries", "history", "by title", "in a collection"],
    )
    async def test_a_pattern_gives_what_it_says(
        self, store: Store, asked: BoundPattern[Entity], expected: list[Entity]
    ) -> None:
        assert (await store.page(asked)).items == expected

    async def test_everything_in_a_library_leaves_out_only_the_library(self, store: Store) -> None:
        inside = await store.page(contents(owner_id=OWNER, library_id="L"))
        everything = await store.page(owned(owner_id=OWNER))
        assert len(inside.items) == 9
        assert LIBRARY in everything.items

    async def test_loans_of_all_libraries_are_one_query_with_the_overdue_ones_first(
        self, store: Store
    ) -> None:
        await store.write(
            update(ANGELO, lent_to="Bob"), update(NINE, lent_to="Eve", due_date="2026-01-01")
        )
        assert await names(store, loans(owner_id=OWNER)) == [NINE.title, ANGELO.title]
        overdue = overdue_loans(owner_id=OWNER, day="2026-01-02")
        assert await names(store, overdue) == [NINE.title]
        on_the_day = overdue_loans(owner_id=OWNER, day="2026-01-01")
        assert await names(store, on_the_day) == []


async def names(store: Store, asked: BoundPattern[Book | Video]) -> list[str]:
    return [item.title for item in (await store.page(asked)).items]
