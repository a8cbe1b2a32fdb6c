"""What programs send to watchlists; the rules say in a sentence what cannot be taken."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from commonroom.http.bodies import Body
from commonroom.picture_addresses import MAX_ADDRESS_LENGTH
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.rules import comments, curators, lists, profiles
from commonroom.watchlists.service.items import MAX_AT_ONCE

Title: TypeAlias = Annotated[
    str, Meta(max_length=1000, description=f"1 to {lists.MAX_TITLE} characters.")
]
Description: TypeAlias = Annotated[
    str, Meta(max_length=10_000, description=f"At most {lists.MAX_DESCRIPTION} characters.")
]
Note: TypeAlias = Annotated[
    str,
    Meta(
        max_length=10_000,
        description=f"Why it is on the list; at most {lists.MAX_NOTE} characters.",
    ),
]
Tags: TypeAlias = Annotated[
    list[Annotated[str, Meta(max_length=500)]],
    Meta(
        max_length=200,
        description=f"At most {lists.MAX_TAGS} of at most {lists.MAX_TAG} characters.",
    ),
]
PictureAddress: TypeAlias = Annotated[
    str,
    Meta(
        max_length=10_000,
        description=(
            f"Starts with `https://`; at most {MAX_ADDRESS_LENGTH} characters. The picture is "
            "fetched and shown by this server."
        ),
    ),
]
Key: TypeAlias = Annotated[
    str, Meta(max_length=lists.MAX_KEY, description="The key of a link that was given.")
]
ContentId: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=lists.MAX_ID,
        description="Its TMDB ID where it has one, such as `603`.",
    ),
]


class TitleBody(Body):
    """A film or show of the catalogue."""

    content_type: ContentType
    content_id: ContentId

    @property
    def id(self) -> TitleId:
        """Which title it is."""
        return TitleId(self.content_type, self.content_id)


class NewWatchlist(Body, kw_only=True):
    """A list to be."""

    title: Title
    description: Description | None = None
    tags: Tags = []
    is_public: Annotated[
        bool | None,
        Meta(description="Left out: public where the caller may publish, else private."),
    ] = None
    is_numbered: bool = False


class ListChanges(Body, kw_only=True):
    """Changes of a list; what is left out stays as it is."""

    title: Title | UnsetType = UNSET
    description: Description | UnsetType | None = UNSET
    tags: Tags | UnsetType = UNSET
    is_public: bool | UnsetType = UNSET
    is_numbered: bool | UnsetType = UNSET
    cover: (
        Annotated[
            TitleBody | None,
            Meta(description="A title on the list; null draws the cover from the first ones."),
        ]
        | UnsetType
    ) = UNSET
    cover_image_url: PictureAddress | UnsetType | None = UNSET


class NewListItem(TitleBody):
    """A title to be added."""

    note: Note | None = None


class NewListItems(Body):
    """Titles to be added at the end, in this order."""

    items: Annotated[
        list[NewListItem],
        Meta(
            min_length=1,
            max_length=MAX_AT_ONCE,
            description=f"1 to {MAX_AT_ONCE}; all of them are added, or none.",
        ),
    ]


class NoteChange(Body):
    """Why a title is on a list."""

    note: Annotated[Note | None, Meta(description="Null removes it.")]


class ItemPositionBody(Body):
    """Where an item goes: one of these."""

    place: (
        Annotated[int, Meta(ge=1, le=10_000, description="From 1; beyond the last is the last.")]
        | None
    ) = None
    before: TitleBody | None = None
    after: TitleBody | None = None


class WithKey(Body):
    """A link's key."""

    key: Key


class MaybeKey(Body):
    """A link's key, where one is needed."""

    key: Key = ""


class NewComment(Body):
    """Something to be said about a list."""

    text: Annotated[
        str,
        Meta(max_length=20_000, description=f"1 to {comments.MAX_COMMENT} characters."),
    ]


class ProfileChanges(Body, kw_only=True):
    """Changes of one's own profile; what is left out stays as it is."""

    username: (
        Annotated[
            str,
            Meta(
                max_length=500,
                description=(
                    f"{profiles.MIN_USERNAME} to {profiles.MAX_USERNAME} letters from A "
                    "to Z, digits, and dots, dashes or underscores between; unique whatever its "
                    "case."
                ),
            ),
        ]
        | UnsetType
    ) = UNSET
    bio: (
        Annotated[str, Meta(max_length=5000, description=f"At most {profiles.MAX_BIO} characters.")]
        | UnsetType
        | None
    ) = UNSET
    avatar_key: (
        Annotated[str, Meta(max_length=100, description="One of the pictures, such as `fox`.")]
        | UnsetType
        | None
    ) = UNSET
    avatar_url: PictureAddress | UnsetType | None = UNSET


class Application(Body):
    """Why a person wants to be a curator."""

    motivation: Annotated[
        str,
        Meta(max_length=10_000, description=f"1 to {curators.MAX_MOTIVATION} characters."),
    ]


class Reason(Body):
    """Why something is decided, for the person to read."""

    reason: Annotated[
        str, Meta(max_length=5000, description=f"1 to {curators.MAX_REASON} characters.")
    ]
