"""What the API shows of the library."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.http.projections import Through, projection
from commonroom.http.words import _
from commonroom.library import tables
from commonroom.library.rules.loans import Loan
from commonroom.library.rules.shelves import ShelfRun
from commonroom.library.service.access import LibraryAccess
from commonroom.library.service.items import SavedItem
from commonroom.library.service.loans import Borrowed, Lent

RecipientId: TypeAlias = Annotated[str, Meta(description="Identifies the share with one person.")]


class LibraryView(Struct, frozen=True):
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


class SharedLibraryView(Struct, frozen=True):
    """The address of a shared library."""

    library_id: str
    library_name: str | None
    shared_from_name: Annotated[str | None, Meta(description="The owner.")]
    shared_at: Moment | None


class LibraryShare(Struct, frozen=True):
    """A person who may look into a library."""

    recipient_id: RecipientId
    email: Annotated[str, Meta(description="As it was when the library was shared.")]


class CollectionView(Struct, frozen=True):
    """A named group of items in a library."""

    collection_id: str
    library_id: str
    name: str
    description: str | None
    item_count: int
    created_at: Moment | None
    updated_at: Moment | None
    version: int


def library(access: LibraryAccess) -> LibraryView:
    """Returns a library as the caller sees it: loans and shares are shown to the owner alone."""
    one, mine = access.library, access.is_owner
    return LibraryView(
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


def my_library(one: tables.Library) -> LibraryView:
    """Returns a library as its owner sees it."""
    return library(LibraryAccess(one, is_owner=True))


shared_library = projection(tables.SharedLibrary, SharedLibraryView)
"""A share as its recipient sees it."""


def shares(one: tables.Library) -> list[LibraryShare]:
    """With whom a library is shared, as its owner sees it."""
    pairs = zip(one.shared_to_ids, one.shared_to, strict=False)
    return [LibraryShare(recipient_id, email) for recipient_id, email in pairs]


collection = projection(tables.Collection, CollectionView)


Day: TypeAlias = Annotated[str, Meta(description="A day, such as `2026-05-31`.")]


class CurrentLoan(Struct, frozen=True):
    """Who has an item."""

    lent_to: Annotated[str, Meta(description="The borrower’s name.")]
    lent_at: Moment | None
    due_date: Day | None
    has_account: Annotated[bool, Meta(description="Whether the borrower has an account here.")]


class CommonItem(Struct, frozen=True, tag_field="kind", kw_only=True, omit_defaults=True):
    """What books and videos have in common; what has a default is left out where it is that."""

    item_id: str
    library_id: str
    library_name: str | None
    owner_name: str | None
    title: str
    summary: str | None
    picture_url: str | None
    collection_id: str | None
    collection_name: str | None
    order: int | float | None
    loan: Annotated[
        CurrentLoan | None, Meta(description="Null while it is not lent, and always to others.")
    ]
    created_at: Moment | None
    updated_at: Annotated[Moment | None, Meta(description="Null to others.")]
    version: Annotated[int | None, Meta(description="Null to others.")]
    contributors: Annotated[
        list[str], Meta(description="Other contributors: `Ann Goldstein (Translator)`.")
    ] = []
    publisher: str | None = None
    language: str | None = None
    format: Annotated[str | None, Meta(description="`Paperback`, `Blu-ray`, …")] = None
    tags: list[str] = []
    location: Annotated[str | None, Meta(description="Where it is kept in the house.")] = None
    copies: int = 1
    rating: Annotated[float | None, Meta(description="In stars; left out to others.")] = None
    review: Annotated[str | None, Meta(description="Left out to others.")] = None
    started_on: Annotated[Day | None, Meta(description="Left out to others.")] = None
    finished_on: Annotated[Day | None, Meta(description="Left out to others.")] = None


class BookView(CommonItem, frozen=True, tag="book", kw_only=True):
    """A book."""

    authors: list[str]
    isbn: str | None
    year: Annotated[int | None, Meta(description="Of this edition.")] = None
    pages: int | None = None
    status: Annotated[
        Literal["to_read", "reading", "read", "gave_up"] | None,
        Meta(description="Left out to others."),
    ] = None


class VideoView(CommonItem, frozen=True, tag="video", kw_only=True):
    """A film on DVD or Blu-ray."""

    directors: list[str]
    cast: list[str]
    release_year: int | None
    duration: Annotated[int | None, Meta(description="In minutes.")]
    tmdb_id: int | None
    status: Annotated[
        Literal["to_watch", "watching", "watched", "gave_up"] | None,
        Meta(description="Left out to others."),
    ] = None


Item: TypeAlias = BookView | VideoView

OWNERS_ONLY: dict[str, None] = dict.fromkeys(
    ("updated_at", "version", "rating", "review", "status", "started_on", "finished_on")
)


class ItemList(Struct, frozen=True):
    """Part of a list of items; a name of its own, where `PagedList` has none for two kinds."""

    items: list[Item]
    next_cursor: (
        Annotated[str, Meta(description="Cursor of the next page; null at the end.")] | None
    )


class SameWork(Struct, frozen=True):
    """Another item of the library with the same ISBN or TMDB id."""

    item_id: str
    title: str
    warning: Annotated[str, Meta(description="A sentence to show to people.")]


class KeptItem(Struct, frozen=True):
    """An item as it was kept."""

    item: Item
    warnings: Annotated[
        list[SameWork], Meta(description="Other items that are the same work (some of them).")
    ]


class ShelfRunView(Struct, frozen=True):
    """What stands together on a shelf: a collection, or the part of it here, or an item alone."""

    collection_id: str | None
    name: Annotated[str | None, Meta(description="The collection’s.")]
    collection: Annotated[
        CollectionView | None,
        Meta(description="Null where the collection started on an earlier page."),
    ]
    items: list[Item]
    continued: Annotated[
        bool, Meta(description="Whether the collection started on an earlier page.")
    ]
    continues: Annotated[
        bool, Meta(description="Whether the collection continues on the next page.")
    ]


def _loan(one: tables.Book | tables.Video) -> CurrentLoan | None:
    if one.lent_to is None:
        return None
    return CurrentLoan(one.lent_to, one.lent_at, one.due_date, one.borrower_id is not None)


_own_book = projection(tables.Book, BookView, loan=_loan)
_own_video = projection(tables.Video, VideoView, loan=_loan)
_other_book = projection(tables.Book, BookView, loan=None, **OWNERS_ONLY)
_other_video = projection(tables.Video, VideoView, loan=None, **OWNERS_ONLY)


def item(one: tables.Book | tables.Video, *, is_mine: bool) -> Item:
    """Returns an item as the caller sees it: its owner, or a person it is shared with.

    When it last changed would tell others that it was lent; what the owner thinks of it is theirs.
    """
    if isinstance(one, tables.Book):
        return _own_book(one) if is_mine else _other_book(one)
    return _own_video(one) if is_mine else _other_video(one)


def saved_item(kept: SavedItem) -> KeptItem:
    """Returns an item and what is the same work, as their owner sees them."""
    return KeptItem(item(kept.item, is_mine=True), [_same(one) for one in kept.same])


shelf_group = projection(
    ShelfRun,
    ShelfRunView,
    LibraryAccess,
    collection=Through(collection),
    items=lambda group, access: [item(one, is_mine=access.is_owner) for one in group.items],
)
"""A part of a shelf, as who has access to the library sees it."""


def _same(one: tables.Book | tables.Video) -> SameWork:
    if isinstance(one, tables.Book):
        warning = _("“%(title)s” in this library has the same ISBN.")
    else:
        warning = _("“%(title)s” in this library has the same TMDB ID.")
    return SameWork(one.item_id, one.title, warning % {"title": one.title})


class LentItem(Struct, frozen=True):
    """Something that one has lent."""

    item: Item
    is_overdue: bool


class BorrowedItemView(Struct, frozen=True):
    """Something that one has borrowed: all that one is told of it."""

    item_id: str
    title: str
    picture_url: str | None
    owner_name: str | None
    lent_at: Moment | None
    due_date: Day | None
    is_overdue: bool


class PastLoan(Struct, frozen=True):
    """A loan from lending to return."""

    borrower: str
    lent_at: Annotated[Moment | None, Meta(description="Null where only the return is known.")]
    returned_at: Annotated[Moment | None, Meta(description="Null while it is lent.")]
    due_date: Day | None
    lasted: Annotated[
        float | None, Meta(description="Seconds; null while it is lent or where it is unknown.")
    ]


def lent_item(one: Lent) -> LentItem:
    """Something lent, as its owner sees it."""
    return LentItem(item(one.item, is_mine=True), one.is_overdue)


borrowed_item = projection(Borrowed, BorrowedItemView)
"""Something borrowed, as its borrower sees it."""


past_loan = projection(Loan, PastLoan)
"""A loan in the history of an item."""
