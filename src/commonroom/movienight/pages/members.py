"""Members of the household: children added and brought along, members changed and taken out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts import rules
from commonroom.accounts.pages.profiles import MemberForm, managed
from commonroom.accounts.tables import Ceiling, User
from commonroom.errors import Forbidden
from commonroom.http.access import Need
from commonroom.http.forms import Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.movienight.pages.households import HERE, ROOM
from commonroom.movienight.request import OwnContext, context_of, own_context
from commonroom.movienight.rules.households import (
    MAX_MEMBERS,
    RosterMember,
    looks_after,
    may_remove,
)
from commonroom.movienight.rules.preferences import ceiling_of
from commonroom.movienight.service import members
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.tables import Preferences
from commonroom.titles.words import genre_name

PREFERENCES = f"{ROOM}/preferences"
ALL = f"{HERE}/members"
ONE = f"{ALL}/{{member_id:str}}"
FRESH = FormState({"display_name": "", "avatar_key": rules.AVATARS[0], "ceiling": "PG"})


pages = Pages()


class BringForm(Form):
    """A person to bring along."""

    member_id: Line


class MemberView(Struct, frozen=True, kw_only=True):
    """A member of the household, and what the caller can do for them."""

    user: User
    ctx: HouseholdContext
    """Of the caller."""
    preferences: Preferences | None
    parent: User | None
    """Who manages them."""

    @property
    def is_you(self) -> bool:
        """Whether they ask themselves."""
        return self.user.user_id == self.ctx.member_id

    @property
    def is_creator(self) -> bool:
        """Whether the household is theirs."""
        return self.user.user_id == self.ctx.group.created_by

    @property
    def is_yours(self) -> bool:
        """Whether the caller looks after them."""
        return looks_after(self.ctx.member_id, self.ctx.group.created_by, self.user)

    @property
    def may_say(self) -> bool:
        """Whether the caller can say what they like."""
        return self.is_you or self.is_yours

    @property
    def may_remove(self) -> bool:
        """Whether the caller can take them out of the household; oneself, one leaves."""
        ctx = self.ctx
        allowed = may_remove(ctx.member_id, ctx.group.created_by, self.user)
        return allowed and not self.is_you and not ctx.is_acting

    @property
    def preferences_address(self) -> str:
        """Where it is said what they like."""
        return PREFERENCES if self.is_you else f"{PREFERENCES}/{self.user.user_id}"

    @property
    def likes(self) -> list[str]:
        """The genres that they like, in words."""
        liked = () if self.preferences is None else self.preferences.genre_likes
        return [genre_name(genre) for genre in liked]

    @property
    def ceiling(self) -> Ceiling:
        """What they may see."""
        return ceiling_of(self.user, self.preferences)


@pages.page(HERE, Need.SIGNED_IN)
async def household(request: Request, form: FormState = FRESH) -> Response[Any]:
    """Everybody here, and whom the person manages elsewhere: two requests beside the context's."""
    if (await context_of(request)).person.household_id is None:
        return redirect(ROOM)
    ctx = await own_context(request)
    if "display_name" not in form.values:  # bringing a member along was refused
        form = FormState({**FRESH.values, **form.values}, form_error=form.message)
    everybody, own = await request.store.gather(load_member_views(ctx), managed(request))
    return render(
        request,
        "movienight/household.html",
        ctx=ctx,
        everybody=everybody,
        elsewhere=[one for one in own if one.household_id is None],
        is_full=ctx.group.member_count >= MAX_MEMBERS,
        may_add=len(own) < rules.MAX_MANAGED,
        most=MAX_MEMBERS,
        form=form,
    )


@pages.form(ALL, Need.NOT_ACTING, on=household, flash="member-added")
async def add_child(ctx: OwnContext, data: MemberForm) -> None:
    """Adds a managed member."""
    await members.add_managed(ctx, **data.fields)


@pages.form(f"{HERE}/bring-along", Need.NOT_ACTING, on=household, flash="member-came")
async def bring_along(ctx: OwnContext, data: BringForm) -> None:
    """Brings a managed member of one's own into the household."""
    await members.bring_along(ctx, data.member_id)


@pages.page(ONE, Need.NOT_ACTING)
async def member_page(
    request: Request, ctx: OwnContext, member_id: str, form: FormState | None = None
) -> Response[Any]:
    """A managed member, to be changed or taken out."""
    member = await members.get_member(ctx.store, ctx.group_id, member_id)
    if not looks_after(ctx.member_id, ctx.group.created_by, member):
        raise Forbidden(
            "Only the person who manages this member, or the household’s creator, can do that."
        )
    return render(
        request,
        "movienight/household_member.html",
        ctx=ctx,
        member=member,
        form=form or _as_stored(member),
    )


@pages.form(ONE, Need.NOT_ACTING, on=member_page, leads_to=HERE, flash="member-saved")
async def save_member(ctx: OwnContext, member_id: str, data: MemberForm) -> None:
    """Changes one."""
    await members.change_managed(ctx, member_id, **data.fields)


@pages.form(f"{ONE}/remove", Need.NOT_ACTING)
async def remove_member(ctx: OwnContext, member_id: str) -> Response[Any]:
    """Removes a member, and the links that they may have come in by."""
    ended = await members.remove_member(ctx, member_id)
    return redirect(HERE, "member-and-links-out" if ended else "member-out")


async def load_member_views(ctx: HouseholdContext) -> list[MemberView]:
    """Returns all who are in the household now, the longest-standing first: one request."""
    everybody, _beside = await members.load_everybody(ctx)
    return member_views(ctx, everybody.members, everybody.preferences)


def member_views(
    ctx: HouseholdContext, here: Sequence[RosterMember], preferences: Mapping[str, Preferences]
) -> list[MemberView]:
    """Returns members as the caller sees them, in their order, without those who are gone."""
    users = {one.user_id: one.user for one in here if one.user and not one.is_gone}
    return [
        MemberView(
            user=user,
            ctx=ctx,
            preferences=preferences.get(user_id),
            parent=users.get(user.parent_user_id or ""),
        )
        for user_id, user in users.items()
    ]


def _as_stored(member: User) -> FormState:
    return FormState(
        {
            "display_name": member.display_name,
            "avatar_key": member.avatar_key,
            "ceiling": member.content_rating_ceiling,
        }
    )
