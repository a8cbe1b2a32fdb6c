"""Books and videos, where they stand on the shelf, and who has them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from commonroom.library.tables.libraries import account_of, media
from commonroom.store import Entity, Keys, Missing
from commonroom.texts import collation_key

LAST_IN_COLLECTION = 99_999
NO_DUE_DATE = "9999-12-31"


Order: TypeAlias = int | float
"""A place in a collection: whole, or between two others (1.5)."""


def place_on_shelf(title: str, collection_name: str | None, order: Order | None) -> str:
    """`item#<title>`, or `item#<collection name>#<order, 5 digits>#<title>`, in sort form.

    What is behind the point of an order follows its digits: `.` comes after `#`, so that 1.5 stands
    behind 1 and before 2.
    """
    if collection_name is None:
        return f"item#{collation_key(title)}"
    whole, point, rest = str(order or LAST_IN_COLLECTION).partition(".")
    place = f"{int(whole):05d}{point}{rest}"
    return f"item#{collation_key(collection_name)}#{place}#{collation_key(title)}"


def lent_by(owner_id: str, lent_to: str | None) -> str | None:
    """`owner#<owner_id>#lent` while the item is lent; absent while it is not."""
    return None if lent_to is None else f"owner#{owner_id}#lent"


def due_back(item_id: str, lent_to: str | None, due_date: str | None) -> str | None:
    """`due#<due date, or a far future>#<item_id>` while the item is lent."""
    return None if lent_to is None else f"due#{due_date or NO_DUE_DATE}#{item_id}"


class Item(Entity, rename="pascal"):
    """What books and videos have in common."""

    owner_id: str
    library_id: str
    item_id: str
    title: str
    summary: str | None = None
    picture_url: str | None = None
    collection_id: str | None = None
    collection_name: str | None = None
    order: Order | None = None
    lent_to: str | None = None
    library_name: str | None = None
    owner_name: str | None = None

    # Beyond the data model.
    account_id: str
    """The owner's account as it is: `owner_id` does not lead back to it where it is no UUID."""
    lent_at: str | None = None
    due_date: str | None = None
    """A day, such as 2026-05-31."""
    borrower_id: str | None = None
    """The borrower's account, where the borrower has one."""
    overdue_at: str | None = None
    """The moment that the timer of this loan is set for."""
    last_event_at: str | None = None
    """When something last happened to it: the next event comes later, whatever a clock says."""
    moved_from: str | None = None
    """The library that its history is still being carried from."""
    created_at: str | None = None
    updated_at: str | None = None
    version: int = 1
    contributors: list[str] = field(default_factory=list)
    """Others who had a part in it, such as `Ann Goldstein (Translator)`."""
    publisher: str | None = None
    language: str | None = None
    format: str | None = None
    """What it is bound in or comes on: `Paperback`, `Blu-ray`."""
    tags: list[str] = field(default_factory=list)
    location: str | None = None
    """Where in the house it stands."""
    copies: int = 1

    # What the owner thinks of it: nobody else is shown any of it (`service.access.PRIVATE`).
    rating: float | None = None
    """In stars, by quarters, from 0.25 to 5."""
    review: str | None = None
    started_on: str | None = None
    """A day, such as 2026-05-31."""
    finished_on: str | None = None

    # A name that a stream consumer carries here must not make a person's edit stale.
    unversioned = frozenset({"library_name", "owner_name", "moved_from"})
    missing = Missing(account_id=account_of)
    keys = Keys(
        PK="owner#{owner_id}",
        SK="library#{library_id}#item#{item_id}",
        GSI1PK="owner#{owner_id}#library#{library_id}",
        GSI1SK=place_on_shelf,
        GSI2PK="owner#{owner_id}",
        GSI2SK="item#{title:sort}",
        GSI3PK=lent_by,
        GSI3SK=due_back,
    )


class Book(Item, table=media, kind="BOOK"):
    """A book."""

    type: Literal[0] = 0
    authors: list[str] = field(default_factory=list)
    isbn: str | None = None

    # Beyond the data model.
    year: int | None = None
    """In which this edition was published."""
    pages: int | None = None
    status: Literal["to_read", "reading", "read", "gave_up"] | None = None


class Video(Item, table=media, kind="VIDEO"):
    """A film on DVD or Blu-ray."""

    type: Literal[1] = 1
    directors: list[str] = field(default_factory=list)
    cast: list[str] = field(default_factory=list)
    release_year: int | None = None
    duration: int | None = None
    """Minutes."""
    tmdb_id: int | None = None

    # Beyond the data model.
    status: Literal["to_watch", "watching", "watched", "gave_up"] | None = None


class LoanEvent(Entity, table=media, kind="EVENT", rename="pascal"):
    """Something that happened to an item: it was lent, or it came back."""

    owner_id: str
    library_id: str
    item_id: str
    type: Literal["LENT", "RETURNED"]
    event: str
    """The borrower's name."""
    updated_at: str
    """When it happened, to the millisecond; two at one instant take two milliseconds."""

    # Beyond the data model.
    due_date: str | None = None
    lent_at: str | None = None
    """What a return ends, so that a loan is told whole wherever a page is cut."""

    keys = Keys(
        PK="owner#{owner_id}",
        SK="library#{library_id}#item#{item_id}#event#{updated_at:ms}",
        GSI1PK="owner#{owner_id}#library#{library_id}#item#{item_id}",
        GSI1SK="event#{updated_at:ms}",
    )


class ItemCode(Entity, table=media, kind="ITEM_CODE", rename="pascal"):
    """That an item has an ISBN or a TMDB id, so that others with the same are found."""

    owner_id: str
    library_id: str
    code: str
    item_id: str

    keys = Keys(PK="owner#{owner_id}", SK="library#{library_id}#code#{code}#{item_id}")


class MovedItem(Entity, table=media, kind="MOVED_ITEM", rename="pascal"):
    """Where an item went, until its history has followed it: the library may be deleted before."""

    owner_id: str
    library_id: str
    item_id: str
    moved_to: str

    keys = Keys(PK="owner#{owner_id}", SK="library#{library_id}#moved#{item_id}")


class BorrowedItem(Entity, table=media, kind="BORROWED_ITEM", rename="pascal"):
    """What a borrower with an account has of an item that they borrowed: where it is."""

    borrower_id: str
    """As `owner_id` is written."""
    owner_id: str
    library_id: str
    item_id: str
    type: Literal[0, 1]

    keys = Keys(PK="owner#{borrower_id}", SK="borrowed-item#{item_id}")
