"""Who helps with a list, and the links that open a private one or invite people to help."""

from __future__ import annotations

from typing import Any, Literal

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render_secret
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.sharing import shared
from commonroom.titles.fetched_pictures import pictures_in
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.cards import ListCard
from commonroom.watchlists.pages.page import render_page
from commonroom.watchlists.service import collaborators
from commonroom.watchlists.service.access import own_list

EDITING = f"{addresses.LISTS}/{{watchlist_id}}/edit"
JOIN = f"{addresses.LIST}/join/{{key:str}}"


pages = Pages()


class ListLinkForm(Form):
    """Which link: one that opens the list, or one that invites to help with it."""

    link: Literal["view", "join"]


class CollaboratorForm(Form):
    """Who no longer helps."""

    user_id: Line


@pages.form(f"{addresses.LIST}/links", Need.NOT_ACTING, on=addresses.EDIT)
async def create_link(
    request: Request, ctx: Ctx, watchlist_id: str, data: ListLinkForm
) -> Response[Any]:
    """Makes a link, which is shown once; the one before it ends."""
    key = await collaborators.create_link(ctx, watchlist_id, data.link)
    found = await own_list(ctx, watchlist_id)
    of = addresses.watchlist if data.link == "view" else addresses.invitation
    return render_secret(
        request,
        "watchlists/link.html",
        at=addresses,
        list=found,
        link=data.link,
        shared=shared(request, of(watchlist_id, key), found.title, is_shown_once=True),
    )


@pages.form(
    f"{addresses.LIST}/links/revoke",
    Need.NOT_ACTING,
    on=addresses.EDIT,
    leads_to=EDITING,
    flash="link-revoked",
)
async def revoke_link(ctx: Ctx, watchlist_id: str, data: ListLinkForm) -> None:
    """Ends a link."""
    await collaborators.revoke_link(ctx, watchlist_id, data.link)


@pages.page(JOIN, Need.ANYONE)
async def show_invitation(request: Request, watchlist_id: str, key: str) -> Response[Any]:
    """Shows what a person is invited to, and how a stranger gets in: one request."""
    found = await collaborators.see_invitation(request.store, watchlist_id, key)
    return render_page(
        request,
        "watchlists/join.html",
        list=found,
        card=ListCard(found, pictures_in(request)),
        here=addresses.invitation(watchlist_id, key),
        invitation=collaborators.signup_invitation(watchlist_id, key),
        mode=request.settings.sign_up,
    )


@pages.form(JOIN, Need.NOT_ACTING, on=show_invitation, flash="list-joined")
async def join(ctx: Ctx, watchlist_id: str, key: str) -> str:
    """Makes a person a collaborator."""
    found = await collaborators.join(ctx, watchlist_id, key)
    return addresses.arrange(found.watchlist_id)


@pages.form(f"{addresses.LIST}/collaborators/remove", Need.NOT_ACTING, on=addresses.EDIT)
async def remove_collaborator(ctx: Ctx, watchlist_id: str, data: CollaboratorForm) -> Response[Any]:
    """Removes a collaborator, and the link that they came in by."""
    link_ended = await collaborators.remove_collaborator(ctx, watchlist_id, data.user_id)
    flash = "collaborator-and-link-removed" if link_ended else "collaborator-removed"
    return redirect(EDITING.format(watchlist_id=watchlist_id), flash)


@pages.form(
    f"{addresses.LIST}/leave",
    Need.NOT_ACTING,
    on=addresses.LIST,
    leads_to=addresses.MINE,
    flash="list-left",
)
async def leave(ctx: Ctx, watchlist_id: str) -> None:
    """Helps with a list no longer."""
    await collaborators.leave(ctx, watchlist_id)
