"""What members like and may see."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from commonroom.accounts.tables import Ceiling
from commonroom.errors import Forbidden, Refusal
from commonroom.http.access import Need
from commonroom.http.forms import Form, FormState, Pages
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.movienight.pages.households import ROOM
from commonroom.movienight.pages.members import PREFERENCES, MemberView, load_member_views
from commonroom.movienight.request import OwnContext
from commonroom.movienight.rules.preferences import HIGHEST, MIN_LIKES, raises
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import no_such_member
from commonroom.movienight.service.preferences import set_preferences
from commonroom.movienight.words import CEILINGS, Meaning
from commonroom.titles.genres import GENRES
from commonroom.titles.words import genre_name

ONE = f"{PREFERENCES}/{{member_id:str}}"

Feeling: TypeAlias = Literal["like", "neutral", "dislike"]


pages = Pages()


class PreferencesForm(Form):
    """How a person feels about each genre, by TMDB's ids, and what they may see."""

    ceiling: Ceiling
    genre_28: Feeling = "neutral"
    genre_12: Feeling = "neutral"
    genre_16: Feeling = "neutral"
    genre_35: Feeling = "neutral"
    genre_80: Feeling = "neutral"
    genre_99: Feeling = "neutral"
    genre_18: Feeling = "neutral"
    genre_10751: Feeling = "neutral"
    genre_14: Feeling = "neutral"
    genre_36: Feeling = "neutral"
    genre_27: Feeling = "neutral"
    genre_10402: Feeling = "neutral"
    genre_9648: Feeling = "neutral"
    genre_10749: Feeling = "neutral"
    genre_878: Feeling = "neutral"
    genre_10770: Feeling = "neutral"
    genre_53: Feeling = "neutral"
    genre_10752: Feeling = "neutral"
    genre_37: Feeling = "neutral"

    def genres_of(self, feeling: Feeling) -> list[str]:
        """Returns the genres that a person feels so about."""
        return [genre for genre in GENRES if getattr(self, f"genre_{genre}") == feeling]


class CeilingCard(Struct, frozen=True):
    """A ceiling to choose."""

    ceiling: Ceiling
    meaning: Meaning
    may: bool
    """Whether it can be chosen: what was set for a member stays above what is chosen here."""


@pages.page([PREFERENCES, ONE], Need.SIGNED_IN)
async def preferences_page(
    request: Request,
    ctx: OwnContext,
    member_id: str = "",
    form: FormState | None = None,
    error: Refusal | None = None,
) -> Response[Any]:
    """One's own, or those of a member whom one looks after: three requests beside the context's."""
    people = await load_member_views(ctx)
    asked = member_id or ctx.member_id
    someone = next((one for one in people if one.user.user_id == asked), None)
    if someone is None:
        raise no_such_member()
    if not someone.may_say:
        raise Forbidden("People with a login set their own tastes.")
    if form is None or error is None:
        form = _as_stored(someone)
    else:  # the genres are many fields, which share one message
        form = FormState(form.values, {"genres": error.detail})
    return render(
        request,
        "movienight/preferences.html",
        form=form,
        ctx=ctx,
        someone=someone,
        others=[one for one in people if one.may_say],
        genres=sorted((genre_name(genre), genre) for genre in GENRES),
        ceilings=ceilings_for(someone),
        fewest=MIN_LIKES,
    )


@pages.form(
    PREFERENCES, Need.SIGNED_IN, on=preferences_page, leads_to=ROOM, flash="preferences-saved"
)
async def save_own(ctx: OwnContext, data: PreferencesForm) -> None:
    """Changes one's own."""
    await _save(ctx, ctx.member_id, data)


@pages.form(ONE, Need.SIGNED_IN, on=preferences_page, leads_to=ROOM, flash="preferences-saved")
async def save_theirs(ctx: OwnContext, member_id: str, data: PreferencesForm) -> None:
    """Changes those of a member whom one looks after."""
    await _save(ctx, member_id, data)


async def _save(ctx: HouseholdContext, member_id: str, data: PreferencesForm) -> None:
    await set_preferences(
        ctx,
        member_id,
        likes=data.genres_of("like"),
        dislikes=data.genres_of("dislike"),
        ceiling=data.ceiling,
    )


def ceilings_for(someone: MemberView) -> list[CeilingCard]:
    """Returns all ceilings; a managed member itself chooses none above what it may see already."""
    top = someone.user.content_rating_ceiling or HIGHEST
    if someone.is_you and someone.user.is_managed:
        top = someone.ceiling
    return [
        CeilingCard(ceiling, meaning, may=not raises(top, ceiling))
        for ceiling, meaning in CEILINGS.items()
    ]


def _as_stored(someone: MemberView) -> FormState:
    chosen = someone.preferences
    likes = [] if chosen is None else chosen.genre_likes
    dislikes = [] if chosen is None else chosen.genre_dislikes
    return FormState(
        {
            **{f"genre_{genre}": "like" for genre in likes},
            **{f"genre_{genre}": "dislike" for genre in dislikes},
            "ceiling": someone.ceiling,
        }
    )
