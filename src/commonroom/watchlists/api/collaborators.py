"""Collaborators, and the links that make them or open a private list."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import projection
from commonroom.watchlists.api import list_views as views
from commonroom.watchlists.api import lists
from commonroom.watchlists.api.fields import Key
from commonroom.watchlists.service import collaborators
from commonroom.watchlists.service.lists import shared_lists
from commonroom.watchlists.service.profiles import find_profile
from commonroom.watchlists.tables import Watchlist

SHARED = f"{lists.ALL}/shared"
LINKS: dict[str, collaborators.Link] = {"view": "view", "join": "join"}
PATHS: dict[collaborators.Link, str] = {
    "view": "/lists/{id}?key={key}",
    "join": "/lists/{id}/join/{key}",
}


api = Operations("Watchlists: collaborators", errors=(403, 404, 409))


class WithKey(Body):
    """A link's key."""

    key: Key


class Link(Struct, frozen=True):
    """A link that was just made: nobody is shown its key again."""

    key: str
    path: Annotated[str, Meta(description="Where it leads on this server.")]


class ListInvitation(Struct, frozen=True):
    """What a link invites to."""

    watchlist_id: str
    title: str
    curator_name: str | None
    item_count: int


invitation = projection(Watchlist, ListInvitation)


@api.get(SHARED, Need.SIGNED_IN, errors=())
async def list_shared_watchlists(ctx: Ctx, paging: Paging) -> PagedList[views.WatchlistView]:
    """List the lists that one collaborates on."""
    found = await shared_lists(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList(views.watchlists(found.items), found.cursor)


@api.delete(f"{SHARED}/{{watchlist_id:str}}", Need.NOT_ACTING, errors=(404, 409))
async def leave_watchlist(ctx: Ctx, watchlist_id: str) -> None:
    """Stop collaborating on a list; what one added stays."""
    await collaborators.leave(ctx, watchlist_id)


@api.put(f"{lists.ONE}/links/{{link:str}}", Need.NOT_ACTING)
async def create_watchlist_link(ctx: Ctx, watchlist_id: str, link: str) -> Link:
    """Make a link: `view` opens a private list, `join` makes those who follow it collaborators.

    Its key is given once; a link that was made before ends.
    """
    kind = _link(link)
    key = await collaborators.create_link(ctx, watchlist_id, kind)
    return Link(key, PATHS[kind].format(id=watchlist_id, key=key))


@api.delete(f"{lists.ONE}/links/{{link:str}}", Need.NOT_ACTING)
async def revoke_watchlist_link(ctx: Ctx, watchlist_id: str, link: str) -> None:
    """End a link; those who joined by it stay."""
    await collaborators.revoke_link(ctx, watchlist_id, _link(link))


@api.post(f"{lists.ONE}/invitation", Need.NOT_ACTING, status=200, errors=(404,))
async def get_watchlist_invitation(ctx: Ctx, watchlist_id: str, given: WithKey) -> ListInvitation:
    """See what a link invites to collaborate on."""
    found = await collaborators.see_invitation(ctx.store, watchlist_id, given.key)
    return invitation(found)


@api.post(f"{lists.ONE}/collaborators", Need.NOT_ACTING, errors=(404, 409))
async def join_watchlist(ctx: Ctx, watchlist_id: str, given: WithKey) -> views.WatchlistView:
    """Become a collaborator by a link."""
    return views.watchlist(await collaborators.join(ctx, watchlist_id, given.key))


@api.delete(f"{lists.ONE}/collaborators/{{username:str}}", Need.NOT_ACTING)
async def remove_watchlist_collaborator(ctx: Ctx, watchlist_id: str, username: str) -> None:
    """Remove a collaborator of one’s own list; what they added stays.

    The list’s invitation link, by which they came in, ends with it.
    """
    profile = await find_profile(ctx.store, username)
    await collaborators.remove_collaborator(ctx, watchlist_id, profile.user_id)


def _link(text: str) -> collaborators.Link:
    if text not in LINKS:
        raise NotFound("There are links to view and to join.")
    return LINKS[text]
