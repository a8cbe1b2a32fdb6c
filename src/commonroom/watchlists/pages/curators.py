"""Curators: their public pages, one's own lists and profile, becoming one, and who decides."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.sharing import own_address, shared
from commonroom.picture_addresses import MAX_ADDRESS_LENGTH
from commonroom.titles.fetched_pictures import pictures_in
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.cards import CuratorFace, list_cards
from commonroom.watchlists.pages.page import acts_alone, publishes_here, render_page
from commonroom.watchlists.request import AnyVisitor, who_publishes
from commonroom.watchlists.rules import curators as curator_rules
from commonroom.watchlists.rules import profiles as profile_rules
from commonroom.watchlists.rules.curators import Decision
from commonroom.watchlists.service import curators, discovery, follows, lists, profiles
from commonroom.watchlists.tables import CuratorStatus, Profile

PAGE = 24
ADMIN = "/admin/curators"
STATUSES: tuple[CuratorStatus, ...] = ("pending", "approved", "suspended", "declined")

Status = Annotated[str, Meta(max_length=20)]


pages = Pages()


class CuratorProfileForm(Form):
    """A person's name in the room, and what they say about themselves."""

    username: Line
    bio: str = ""
    avatar_url: Line = ""


class ApplicationForm(Form):
    """Why a person wants to publish lists."""

    motivation: str


class DecisionForm(Form):
    """What an administrator decides about a person."""

    user_id: Line
    step: Decision
    reason: str = ""


@pages.page(addresses.MINE, Need.SIGNED_IN)
async def my_lists(
    request: Request, ctx: Ctx, cursor: Cursor = None, theirs: Cursor = None
) -> Response[Any]:
    """One's own lists and those that one helps with: three requests, four where there are some."""
    own, helping, profile = await request.store.gather(
        lists.my_lists(ctx, limit=PAGE, cursor=cursor),
        lists.shared_lists(ctx, limit=PAGE, cursor=theirs),
        profiles.my_profile(ctx),
    )
    return render_page(
        request,
        "watchlists/mine.html",
        own=list_cards(request, own.items),
        cursor=own.cursor,
        helping=list_cards(request, helping.items),
        theirs=helping.cursor,
        profile=profile,
        may=acts_alone(request),
        publishes=publishes_here(request, profile),
        is_first=cursor is None,
    )


@pages.page(addresses.CURATOR, Need.ANYONE)
async def show_curator(
    request: Request,
    visitor: AnyVisitor,
    username: str,
    cursor: Cursor = None,
    form: FormState = EMPTY,
) -> Response[Any]:
    """A curator's public lists, newest first: four requests, one more for who follows."""
    profile = await profiles.public_profile(visitor, username)
    found = await discovery.browse(
        request.store, "curator", profile.user_id, limit=PAGE, cursor=cursor
    )
    me = request.caller.account
    follows_them = me is not None and await follows.is_following(request.context, profile.user_id)
    return render_page(
        request,
        "watchlists/curator.html",
        curator=profile,
        face=_face(request, profile),
        cards=list_cards(request, found.items),
        cursor=found.cursor,
        is_me=me is not None and me.user_id == profile.user_id,
        follows=follows_them,
        may=acts_alone(request),
        shared=shared(request, addresses.curator(profile.username), profile.username),
        preview=own_address(request, addresses.curator_preview(profile.username)),
        form=form,
    )


@pages.form(
    f"{addresses.CURATOR}/follow", Need.NOT_ACTING, on=show_curator, flash="curator-followed"
)
async def follow(ctx: Ctx, visitor: AnyVisitor, username: str) -> None:
    """Follows a curator."""
    profile = await profiles.public_profile(visitor, username)
    await follows.follow(ctx, profile.user_id)


@pages.form(
    f"{addresses.CURATOR}/unfollow", Need.NOT_ACTING, on=show_curator, flash="curator-unfollowed"
)
async def unfollow(ctx: Ctx, visitor: AnyVisitor, username: str) -> None:
    """Follows a curator no longer."""
    profile = await profiles.public_profile(visitor, username)
    await follows.unfollow(ctx, profile.user_id)


@pages.page(addresses.PROFILE, Need.NOT_ACTING)
async def my_profile(
    request: Request, ctx: Ctx, form: FormState = EMPTY, application_form: FormState = EMPTY
) -> Response[Any]:
    """One's own profile, and the way to becoming a curator: one request."""
    profile = await profiles.ensure_profile(ctx)
    usual = FormState(
        {
            "username": profile.username,
            "bio": profile.bio or "",
            "avatar_url": profile.avatar_url or "",
        }
    )
    return render_page(
        request,
        "watchlists/profile.html",
        profile=profile,
        face=_face(request, profile),
        form=form if form.values else usual,
        application_form=application_form,
        publishes=publishes_here(request, profile),
        may_apply=who_publishes(request) == "curators",
        longest_username=profile_rules.MAX_USERNAME,
        longest_bio=profile_rules.MAX_BIO,
        longest_address=MAX_ADDRESS_LENGTH,
        longest_motivation=curator_rules.MAX_MOTIVATION,
    )


@pages.form(addresses.PROFILE, Need.NOT_ACTING, on=my_profile, flash="curator-saved")
async def save_profile(ctx: Ctx, data: CuratorProfileForm) -> None:
    """Keeps username, biography and picture."""
    await profiles.change_profile(
        ctx, username=data.username, bio=data.bio, avatar_url=data.avatar_url
    )


def _face(request: Request, profile: Profile) -> CuratorFace:
    picture = pictures_in(request).address(profile.avatar_url, "small")
    return CuratorFace(profile.avatar_key, profile.username, picture)


@pages.form(
    f"{addresses.PROFILE}/apply",
    Need.NOT_ACTING,
    on=my_profile,
    slot="application_form",
    flash="curator-applied",
)
async def apply(ctx: Ctx, data: ApplicationForm) -> None:
    """Asks to be a curator."""
    await curators.apply(ctx, data.motivation)


@pages.page(ADMIN, Need.ADMINISTRATOR)
async def administer(
    request: Request,
    ctx: Ctx,
    status: Status = "pending",
    cursor: Cursor = None,
    form: FormState = EMPTY,
) -> Response[Any]:
    """Those who asked to be curators, and those who are: two requests."""
    chosen: CuratorStatus = next((one for one in STATUSES if one == status), "pending")
    found = await curators.curators_with(ctx, chosen, cursor=cursor)
    return render_page(
        request,
        "watchlists/admin.html",
        curators=found.items,
        cursor=found.cursor,
        status=chosen,
        statuses=STATUSES,
        form=form,
        longest_reason=curator_rules.MAX_REASON,
    )


@pages.form(ADMIN, Need.ADMINISTRATOR, on=administer, flash="curator-decided")
async def decide(ctx: Ctx, data: DecisionForm) -> None:
    """Approves, declines, suspends or reinstates a person."""
    await curators.decide(ctx, data.user_id, data.step, data.reason)
