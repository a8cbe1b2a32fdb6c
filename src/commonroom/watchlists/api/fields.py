"""Fields that several nouns of the room share in what programs send."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.http.bodies import Body
from commonroom.picture_addresses import MAX_ADDRESS_LENGTH
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.rules import lists

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
Username: TypeAlias = Annotated[str, Meta(description="Unique, whatever its case.")]


class TitleBody(Body):
    """A film or show of the catalogue."""

    content_type: ContentType
    content_id: ContentId

    @property
    def id(self) -> TitleId:
        """Which title it is."""
        return TitleId.of(self)


class MaybeKey(Body):
    """A link's key, where one is needed."""

    key: Key = ""
