"""What the API shows of libraries, their collections, and who else may look."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from commonroom.library import tables
from commonroom.library.service.reach import Reach
from commonroom.web.people.api.views import Moment

RecipientId: TypeAlias = Annotated[str, Meta(description="Identifies the share with one person.")]


class Library(Struct, frozen=True):
    """A library."""

    library_id: str
    library_name: str
    description: str | None
    owner_name: str | None
    is_mine: Annotated[
        bool, Meta(description="Whether the caller owns it, or it is shared with them.")
    ]
    total_items: int
    lent_items: Annotated[int | None, Meta(description="How many are lent; null to others.")]
    shared_with: Annotated[int | None, Meta(description="With how many; null to others.")]
    created_at: Moment | None
    updated_at: Annotated[Moment | None, Meta(description="Null to others.")]
    version: Annotated[int | None, Meta(description="Null to others.")]


class SharedLibrary(Struct, frozen=True):
    """Where a library is that somebody shares with one."""

    library_id: str
    library_name: str | None
    shared_from_name: Annotated[str | None, Meta(description="The owner.")]
    shared_at: Moment | None


class LibraryShare(Struct, frozen=True):
    """Somebody who may look into a library."""

    recipient_id: RecipientId
    email: Annotated[str, Meta(description="As it was when the library was shared.")]


class Collection(Struct, frozen=True):
    """A named group of items in a library."""

    collection_id: str
    library_id: str
    name: str
    description: str | None
    item_count: int
    created_at: Moment | None
    updated_at: Moment | None
    version: int


def library(reach: Reach) -> Library:
    """A library as whoever looks sees it: loans and shares are the owner's to know."""
    one, mine = reach.library, reach.is_owner
    return Library(
        library_id=one.library_id,
        library_name=one.library_name,
        description=one.description,
        owner_name=one.owner_name,
        is_mine=mine,
        total_items=one.total_items,
        lent_items=one.lent_items if mine else None,
        shared_with=len(one.shared_to_ids) if mine else None,
        created_at=one.created_at,
        updated_at=one.updated_at if mine else None,
        version=one.version if mine else None,
    )


def my_library(one: tables.Library) -> Library:
    """A library as its owner sees it."""
    return library(Reach(one, is_owner=True))


def shared_library(pointer: tables.SharedLibrary) -> SharedLibrary:
    """A share as whoever it was given to sees it."""
    return msgspec.convert(pointer, SharedLibrary, from_attributes=True)


def shares(one: tables.Library) -> list[LibraryShare]:
    """With whom a library is shared, as its owner sees it."""
    pairs = zip(one.shared_to_ids, one.shared_to, strict=False)
    return [LibraryShare(recipient_id, email) for recipient_id, email in pairs]


def collection(one: tables.Collection) -> Collection:
    """A collection."""
    return msgspec.convert(one, Collection, from_attributes=True)
