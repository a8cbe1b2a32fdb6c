"""What members like and may see."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from commonroom.accounts.api.views import Moment
from commonroom.accounts.tables import Ceiling
from commonroom.http.access import Need
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import projection
from commonroom.movienight.request import ContextInPath
from commonroom.movienight.service import preferences
from commonroom.movienight.tables import Preferences

Genres: TypeAlias = Annotated[
    list[Annotated[str, Meta(max_length=20)]], Meta(max_length=100, description="TMDB genre ids.")
]


api = Operations("Movie night: preferences")


class PreferencesSet(Body):
    """What a member likes and may see."""

    genre_likes: Genres
    max_content_rating: Ceiling
    genre_dislikes: Genres = field(default_factory=list)


class MemberPreferences(Struct, frozen=True):
    """What a member likes and may see."""

    user_id: str
    genre_likes: list[str]
    genre_dislikes: list[str]
    max_content_rating: Ceiling
    updated_at: Moment


member_preferences = projection(Preferences, MemberPreferences)


@api.get("/households/{group_id:str}/preferences", Need.SIGNED_IN, errors=(404,))
async def list_preferences(ctx: ContextInPath) -> PagedList[MemberPreferences]:
    """List what the members of one's household like; who has not said so is left out."""
    found = await preferences.list_preferences(ctx)
    return PagedList([member_preferences(one) for one in found.values()], None)


@api.put(
    "/households/{group_id:str}/members/{member_id:str}/preferences",
    Need.SIGNED_IN,
    errors=(404, 409),
)
async def set_preferences(
    ctx: ContextInPath, member_id: str, chosen: PreferencesSet
) -> MemberPreferences:
    """Set what a member likes and may see.

    Everybody sets their own, parents those of the members they manage, the creator those of any
    managed member.
    """
    saved = await preferences.set_preferences(
        ctx,
        member_id,
        likes=chosen.genre_likes,
        dislikes=chosen.genre_dislikes,
        ceiling=chosen.max_content_rating,
    )
    return member_preferences(saved)
