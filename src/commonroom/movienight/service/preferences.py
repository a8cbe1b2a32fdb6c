"""Preferences: what each member likes and may see."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.tables import Ceiling
from commonroom.errors import Forbidden
from commonroom.moments import iso
from commonroom.movienight.rules.preferences import ceiling_of, clean_genres, raises
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import HouseholdContext, touch_household
from commonroom.movienight.service.members import change_refusal, get_member, guardian_check
from commonroom.movienight.tables import (
    HouseholdMembership,
    Preferences,
    preferences_of_group,
    preferences_of_member,
)
from commonroom.store import (
    Condition,
    ConditionFailed,
    Store,
    Write,
    check,
    equal,
    new,
    put,
    stored,
)


async def list_preferences(ctx: HouseholdContext) -> dict[str, Preferences]:
    """Returns what each member of the household chose, by member: one request."""
    found = await ctx.store.page(preferences_of_group(group_id=ctx.group_id))
    return {one.user_id: one for one in found.items}


async def set_preferences(
    ctx: HouseholdContext,
    member_id: str,
    *,
    likes: Sequence[str],
    dislikes: Sequence[str],
    ceiling: Ceiling,
    if_: Condition | None = None,
) -> Preferences:
    """Sets one's own preferences or those of a managed member; nothing where `if_` fails."""
    liked, disliked = clean_genres(likes, dislikes)
    chosen = Preferences(
        group_id=ctx.group_id,
        user_id=member_id,
        genre_likes=liked,
        genre_dislikes=disliked,
        max_content_rating=ceiling,
        updated_at=iso(ctx.now),
    )
    if member_id != ctx.member_id:
        member = await get_member(ctx.store, ctx.group_id, member_id)
        await _write(ctx.store, guardian_check(ctx, member), chosen, if_)
    elif ctx.member.is_managed:
        await _set_by_managed(ctx, chosen, if_)
    else:
        await _write(ctx.store, touch_household(ctx), chosen, if_)
    return chosen


async def _set_by_managed(
    ctx: HouseholdContext, chosen: Preferences, if_: Condition | None
) -> None:
    """Sets what a managed member chooses itself, which cannot let it see more than before."""
    asked = preferences_of_member(group_id=ctx.group_id, user_id=ctx.member_id)
    before = await ctx.store.get(asked)
    if raises(ceiling_of(ctx.member, before), chosen.max_content_rating):
        raise Forbidden(
            "Only the person who manages this member, or the household’s creator, can allow that."
        )
    as_read = new if before is None else equal(max_content_rating=before.max_content_rating)
    set_for_it = equal(content_rating_ceiling=ctx.member.content_rating_ceiling)
    try:
        await _write(
            ctx.store,
            touch_household(ctx),
            chosen,
            as_read if if_ is None else as_read & if_,
            check(ctx.member, if_=set_for_it),
        )
    except ConditionFailed:
        if if_ is not None:
            raise
        raise retry.conflict() from None


async def _write(
    store: Store, by: Write, chosen: Preferences, if_: Condition | None, *more: Write
) -> None:
    member = HouseholdMembership.at(group_id=chosen.group_id, user_id=chosen.user_id)
    try:
        await store.write(by, check(member, if_=stored), put(chosen, if_=if_), *more)
    except ConditionFailed as failed:
        if failed.index < 2:
            raise change_refusal(failed) from None
        raise  # the caller's own condition, which the caller can put into words
