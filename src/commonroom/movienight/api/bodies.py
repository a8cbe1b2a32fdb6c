"""What programs send to movie night; the rules say in a sentence what cannot be taken."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from commonroom.accounts.tables import Ceiling
from commonroom.movienight.rules.households import LONGEST_NAME, MOST_SERVICES
from commonroom.movienight.rules.rounds import Liked, VotedFor

HouseholdName: TypeAlias = Annotated[
    str, Meta(max_length=200, description=f"1 to {LONGEST_NAME} characters on one line.")
]
Services: TypeAlias = Annotated[
    list[Annotated[str, Meta(max_length=50)]],
    Meta(max_length=100, description=f"At most {MOST_SERVICES} slugs, such as `disney_plus`."),
]
Genres: TypeAlias = Annotated[
    list[Annotated[str, Meta(max_length=20)]], Meta(max_length=100, description="TMDB genre ids.")
]
MemberId: TypeAlias = Annotated[str, Meta(max_length=100)]
FilmId: TypeAlias = Annotated[int, Meta(ge=1, le=2**53, description="The TMDB ID of the film.")]


class Body(Struct, forbid_unknown_fields=True):
    """The base of what is sent."""


class NewHousehold(Body):
    """A household to be."""

    name: HouseholdName
    streaming_services: Services = []


class HouseholdChange(Body):
    """Changes of a household; what is left out stays as it is."""

    name: HouseholdName | UnsetType = UNSET
    streaming_services: Services | UnsetType = UNSET
    votes_are_open: (
        Annotated[
            bool,
            Meta(description="Whether everyone sees who votes for what, from the next round on."),
        ]
        | UnsetType
    ) = UNSET


class PreferencesSet(Body):
    """What a member likes and may see."""

    genre_likes: Genres
    max_content_rating: Ceiling
    genre_dislikes: Genres = []


class NewRound(Body):
    """A round to be."""

    attendees: (
        Annotated[list[MemberId], Meta(min_length=1, max_length=8, description="Who is watching.")]
        | None
    ) = None
    """Left out: everybody."""
    from_wish_list: Annotated[
        bool, Meta(description="Whether the newest films of the wish list are on the shortlist.")
    ] = False


class ChosenFilm(Body):
    """A film."""

    tmdb_movie_id: FilmId


class FilmToPick(ChosenFilm):
    """A film to watch, and whether the votes that are missing matter."""

    even_if_votes_are_missing: Annotated[
        bool,
        Meta(description="Without this, a 409 response lists in `missing` who has not voted yet."),
    ] = False


class VoteCast(Body):
    """A vote."""

    vote: VotedFor


class RatingGiven(Body):
    """How somebody liked it."""

    rating: Liked
