"""Libraries and their collections, and who else may look at them."""

from __future__ import annotations

from uuid import UUID

from msgspec import field

from commonroom.store import Entity, Index, Keys, Missing, Table

media = Table(
    "MediaLibrary",
    room="library",
    partition="PK",
    sort="SK",
    discriminator="EntityType",
    stream=True,
    indexes=[
        Index("GSI1", "GSI1PK", "GSI1SK"),
        Index("GSI2", "GSI2PK", "GSI2SK"),
        # Beyond the data model, and sparse: what an owner has given away, lent or shared.
        Index("GSI3", "GSI3PK", "GSI3SK"),
    ],
)


def owner_id_of(user_id: str) -> str:
    """Returns an account's id as this room's keys have it: without dashes, uppercase."""
    return user_id.replace("-", "").upper()


def account_of(owner_id: str) -> str:
    """The account that an owner's id was made of, where nothing else tells: a UUID with dashes."""
    try:
        return str(UUID(owner_id))
    except ValueError:
        return owner_id


def account_of_sharer(shared_from_id: str) -> str:
    """Returns the account of a library's owner, likewise."""
    return account_of(shared_from_id)


class Library(Entity, table=media, kind="LIBRARY", rename="pascal"):
    """A person's books and videos in one place."""

    owner_id: str
    library_id: str
    library_name: str
    description: str | None = None
    total_items: int = 0
    shared_to: list[str] = field(default_factory=list)
    """E-mail addresses, as they were when it was shared."""
    updated_at: str

    # Beyond the data model.
    account_id: str
    """The owner's account as it is: `owner_id` does not lead back to it where it is no UUID."""
    owner_name: str | None = None
    shared_to_ids: list[str] = field(default_factory=list)
    """Whose `SharedLibrary` each address of `shared_to` belongs to, in the same order."""
    lent_items: int = 0
    """How many of its items are lent now."""
    titles_changed: int = 0
    """How often what its items are found by has changed: search reads them again then."""
    titles_changed_at: str | None = None
    """When an item last did: an index may not show it for a moment."""
    created_at: str | None = None
    version: int = 1

    unversioned = frozenset(
        {"total_items", "lent_items", "titles_changed", "titles_changed_at", "owner_name"}
    )
    missing = Missing(account_id=account_of)
    keys = Keys(
        PK="owner#{owner_id}",
        SK="library#{library_id}",
        GSI1PK="owner#{owner_id}",
        GSI1SK="library#{library_name:sort}",
    )


class Collection(Entity, table=media, kind="COLLECTION", rename="pascal"):
    """A named group of items in a library; it stands on the shelf before them."""

    owner_id: str
    library_id: str
    collection_id: str
    name: str
    description: str | None = None
    item_count: int = 0

    # Beyond the data model.
    last_order: int | None = None
    """The last whole place that is taken: the next item comes behind it."""
    created_at: str | None = None
    updated_at: str | None = None
    version: int = 1

    unversioned = frozenset({"item_count", "last_order"})
    keys = Keys(
        PK="owner#{owner_id}",
        SK="library#{library_id}#collection#{collection_id}",
        GSI1PK="owner#{owner_id}#library#{library_id}",
        GSI1SK="item#{name:sort}",
    )


class CollectionName(Entity, table=media, kind="COLLECTION_NAME", rename="pascal"):
    """A collection's claim to its name: one in a library, ignoring case and accents.

    Names with one sort form would stand mixed on the shelf, so these count as equal.
    """

    owner_id: str
    library_id: str
    name: str
    collection_id: str

    keys = Keys(PK="owner#{owner_id}", SK="library#{library_id}#name#{name:sort}")


class SharedLibrary(Entity, table=media, kind="SHARED_LIBRARY", rename="pascal"):
    """What a recipient has of a library that is shared: where it is."""

    shared_to_id: str
    shared_from_id: str
    shared_from_name: str | None = None
    library_id: str

    # Beyond the data model.
    shared_from_account_id: str
    library_name: str | None = None
    shared_to_email: str | None = None
    """Which address to take out of `Library.shared_to` when the share ends."""
    shared_to_account_id: str | None = None
    """The recipient's account as it is, who is told; None in shares of earlier versions."""
    shared_at: str | None = None

    missing = Missing(shared_from_account_id=account_of_sharer)
    keys = Keys(
        PK="owner#{shared_to_id}",
        SK="shared-library#{library_id}",
        GSI3PK="owner#{shared_from_id}#shared",
        GSI3SK="library#{library_id}#{shared_to_id}",
    )
