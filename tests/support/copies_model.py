"""A small model with copies and sparse keys, for the checks."""

from __future__ import annotations

from commonroom.store import Entity, Index, Keys, Table, copies, many

shelves = Table(
    "Shelves",
    room="tests",
    partition="PK",
    sort="SK",
    discriminator="Kind",
    stream=True,
    indexes=[Index("ByShelf", "ShelfKey", "TitleKey"), Index("ByMood", "MoodKey")],
)
cards = Table("Cards", room="tests", partition="CardId", indexes=[Index("ByHolder", "HolderKey")])

TABLES = [shelves, cards]


class Shelf(Entity, table=shelves, kind="SHELF", rename="pascal"):
    """An original; it counts what stands on it."""

    shelf_id: str
    name: str
    volumes: int = 0

    keys = Keys(PK="shelf#{shelf_id}", SK="shelf")


class Volume(Entity, table=shelves, kind="VOLUME", rename="pascal"):
    """A carrier that may have no original, and keys that may be absent."""

    volume_id: str
    title: str
    shelf_id: str | None = None
    shelf_name: str | None = None
    mood: str | None = None
    version: int = 1

    keys = Keys(
        PK="volume#{volume_id}",
        SK="volume",
        ShelfKey="shelf#{shelf_id}",
        TitleKey="title#{title:sort}",
        MoodKey="mood#{mood}",
    )


class Card(Entity, table=cards, rename="pascal"):
    """A carrier without a version, whose copy is required; the only kind in its table."""

    card_id: str
    shelf_id: str
    holder: str

    keys = Keys(HolderKey="holder#{holder}")


volumes_of_shelf = many(shelves, "volumes of a shelf", index="ByShelf", gives=Volume)
cards_of_holder = many(cards, "cards of a holder", index="ByHolder", gives=Card)

COPIES = [
    copies(
        Shelf,
        on=Volume,
        fields={"name": "shelf_name"},
        refers={"shelf_id": "shelf_id"},
        found=lambda shelf: volumes_of_shelf(shelf_id=shelf.shelf_id),
    ),
    copies(
        Shelf,
        on=Card,
        fields={"name": "holder"},
        refers={"shelf_id": "shelf_id"},
        found=lambda shelf: cards_of_holder(holder=shelf.name),
    ),
]
