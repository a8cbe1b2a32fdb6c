"""What programs send to the library; the rules say in a sentence what cannot be taken."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from commonroom.http.bodies import Body
from commonroom.library.rules import items, names
from commonroom.library.rules.names import MAX_ID

LibraryName: TypeAlias = Annotated[
    str, Meta(max_length=200, description=f"1 to {names.MAX_LIBRARY_NAME} characters.")
]
LibraryDescription: TypeAlias = Annotated[
    str,
    Meta(max_length=1000, description=f"At most {names.MAX_LIBRARY_DESCRIPTION} characters."),
]
CollectionName: TypeAlias = Annotated[
    str,
    Meta(
        max_length=1000,
        description=f"1 to {names.MAX_COLLECTION_NAME} characters; one in its library, "
        "whatever case and accents it has.",
    ),
]
CollectionDescription: TypeAlias = Annotated[
    str,
    Meta(max_length=5000, description=f"At most {names.MAX_COLLECTION_DESCRIPTION} characters."),
]
Title: TypeAlias = Annotated[
    str, Meta(max_length=1000, description=f"1 to {items.MAX_TITLE} characters.")
]
Summary: TypeAlias = Annotated[
    str, Meta(max_length=40_000, description=f"At most {items.MAX_SUMMARY} characters.")
]
PictureUrl: TypeAlias = Annotated[
    str, Meta(max_length=10_000, description="URL of a cover or poster; starts with `https://`.")
]
Person: TypeAlias = Annotated[str, Meta(max_length=1000)]
People: TypeAlias = Annotated[
    list[Person], Meta(max_length=1000, description=f"At most {items.MAX_PEOPLE} names.")
]
Cast: TypeAlias = Annotated[
    list[Person], Meta(max_length=1000, description=f"At most {items.MAX_CAST} names.")
]
Isbn: TypeAlias = Annotated[
    str, Meta(max_length=100, description="An ISBN-10 or ISBN-13, with or without dashes.")
]
Year: TypeAlias = Annotated[int, Meta(description=f"From {items.FIRST_YEAR} to {items.LAST_YEAR}.")]
Minutes: TypeAlias = Annotated[int, Meta(description=f"In minutes, at most {items.MAX_DURATION}.")]
TmdbId: TypeAlias = Annotated[int, Meta(description="The TMDB ID of the film.")]
Id: TypeAlias = Annotated[str, Meta(max_length=MAX_ID)]
Order: TypeAlias = Annotated[
    int | float,
    Meta(
        description=f"The place in its collection, 1 to {items.LAST_PLACE}, or between two (1.5); "
        "left out: the next free one."
    ),
]
Contributors: TypeAlias = Annotated[
    list[Person],
    Meta(max_length=1000, description="Other contributors, such as `Ann Goldstein (Translator)`."),
]
ShortText: TypeAlias = Annotated[
    str, Meta(max_length=1000, description=f"At most {items.MAX_LINE} characters.")
]
Tags: TypeAlias = Annotated[
    list[Person],
    Meta(
        max_length=1000,
        description=f"At most {items.MAX_TAGS} of at most {items.MAX_TAG} characters.",
    ),
]
Copies: TypeAlias = Annotated[int, Meta(description=f"1 to {items.MAX_COPIES}.")]
Pages: TypeAlias = Annotated[int, Meta(description=f"1 to {items.MAX_PAGES}.")]
BookYear: TypeAlias = Annotated[
    int,
    Meta(description=f"Year of this edition, from {items.FIRST_BOOK_YEAR} to {items.LAST_YEAR}."),
]
Rating: TypeAlias = Annotated[
    float,
    Meta(
        description=(
            f"Stars, in quarters, from 0.25 to {items.MAX_STARS}; only visible to the owner."
        )
    ),
]
Review: TypeAlias = Annotated[
    str,
    Meta(
        max_length=100_000,
        description=f"At most {items.MAX_REVIEW} characters; only visible to the owner.",
    ),
]
Status: TypeAlias = Annotated[
    str,
    Meta(
        max_length=100,
        description=(
            "Of a book `to_read`, `reading` or `read`; of a video `to_watch`, `watching` or "
            "`watched`; of either `gave_up`. Only visible to the owner."
        ),
    ),
]
Email: TypeAlias = Annotated[
    str, Meta(max_length=1000, description="The e-mail address of someone with an account here.")
]
PastDue: TypeAlias = Annotated[
    bool, Meta(description="Confirms a date in the past; without it, one is answered with 409.")
]
Day: TypeAlias = Annotated[str, Meta(max_length=100, description="A day, such as `2026-05-31`.")]


class NewLibrary(Body):
    """A library to be."""

    library_name: LibraryName
    description: LibraryDescription | None = None


class LibraryChange(Body):
    """Changes of a library; what is left out stays as it is."""

    library_name: LibraryName | UnsetType = UNSET
    description: LibraryDescription | UnsetType | None = UNSET


class NewCollection(Body):
    """A collection to be."""

    name: CollectionName
    description: CollectionDescription | None = None


class CollectionChange(Body):
    """Changes of a collection; what is left out stays as it is."""

    name: CollectionName | UnsetType = UNSET
    description: CollectionDescription | UnsetType | None = UNSET


class NewItemBody(Body, kw_only=True, tag_field="kind"):
    """What books and videos have in common."""

    title: Title
    summary: Summary | None = None
    picture_url: PictureUrl | None = None
    collection_id: Id | None = None
    order: Order | None = None
    contributors: Contributors = []
    publisher: ShortText | None = None
    language: ShortText | None = None
    format: ShortText | None = None
    tags: Tags = []
    location: ShortText | None = None
    copies: Copies = 1
    rating: Rating | None = None
    review: Review | None = None
    status: Status | None = None
    started_on: Day | None = None
    finished_on: Day | None = None


class NewBook(NewItemBody, kw_only=True, tag="book"):
    """A book to be."""

    authors: People = []
    isbn: Isbn | None = None
    year: BookYear | None = None
    pages: Pages | None = None


class NewVideo(NewItemBody, kw_only=True, tag="video"):
    """A film on DVD or Blu-ray to be."""

    directors: People = []
    cast: Cast = []
    release_year: Year | None = None
    duration: Minutes | None = None
    tmdb_id: TmdbId | None = None


class ItemChange(Body, kw_only=True):
    """Changes of a book or a video; what is left out stays as it is.

    A book takes only what a book has, a video only what a video has.
    """

    title: Title | UnsetType = UNSET
    summary: Summary | UnsetType | None = UNSET
    picture_url: PictureUrl | UnsetType | None = UNSET
    collection_id: (
        Annotated[Id | None, Meta(description="Null removes it from its collection.")] | UnsetType
    ) = UNSET
    order: Order | UnsetType = UNSET
    authors: People | UnsetType = UNSET
    isbn: Isbn | UnsetType | None = UNSET
    directors: People | UnsetType = UNSET
    cast: Cast | UnsetType = UNSET
    release_year: Year | UnsetType | None = UNSET
    duration: Minutes | UnsetType | None = UNSET
    tmdb_id: TmdbId | UnsetType | None = UNSET
    contributors: Contributors | UnsetType = UNSET
    publisher: ShortText | UnsetType | None = UNSET
    year: BookYear | UnsetType | None = UNSET
    pages: Pages | UnsetType | None = UNSET
    language: ShortText | UnsetType | None = UNSET
    format: ShortText | UnsetType | None = UNSET
    tags: Tags | UnsetType = UNSET
    location: ShortText | UnsetType | None = UNSET
    copies: Copies | UnsetType = UNSET
    rating: Rating | UnsetType | None = UNSET
    review: Review | UnsetType | None = UNSET
    status: Status | UnsetType | None = UNSET
    started_on: Day | UnsetType | None = UNSET
    finished_on: Day | UnsetType | None = UNSET


class Moving(Body):
    """Where an item goes."""

    to: Annotated[Id, Meta(description="The `library_id` of another library of the same owner.")]
    collection_id: Annotated[Id | None, Meta(description="A collection there.")] = None
    order: Order | None = None


class Lending(Body):
    """Who borrows an item, and until when."""

    lent_to: Annotated[
        str,
        Meta(
            max_length=1000,
            description=f"The borrower’s name, 1 to {names.MAX_BORROWER} characters.",
        ),
    ]
    due_date: Day | None = None
    email: (
        Annotated[
            Email, Meta(description="The borrower’s e-mail address, if they have an account here.")
        ]
        | None
    ) = None
    past_due: PastDue = False


class DueDate(Body):
    """When something that is lent should be back."""

    due_date: Annotated[Day | None, Meta(description="Null removes the date.")]
    past_due: PastDue = False


class Sharing(Body):
    """With whom a library is to be shared."""

    email: Email


def text_given(text: str | UnsetType | None) -> str | None:
    """A text as the services take it: None leaves it as it is, an empty one takes it out."""
    return None if text is UNSET else text or ""
