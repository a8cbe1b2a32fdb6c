"""Lists: one's own and those one may read, with everything on them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType, field
from msgspec.structs import asdict, replace

from commonroom.accounts.context import Context
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.etags import IfMatch, IfNoneMatch, check_tag, tagged_with
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.responses import JsonResponse
from commonroom.watchlists.api import list_views as views
from commonroom.watchlists.api.fields import MaybeKey, PictureAddress, TitleBody
from commonroom.watchlists.request import AnyVisitor, Publishers
from commonroom.watchlists.rules import lists as rules
from commonroom.watchlists.service import copies, lists
from commonroom.watchlists.service.access import own_list
from commonroom.watchlists.service.list_views import see_list
from commonroom.watchlists.service.lists import ListChange, ListDraft

ALL = "/watchlists"
ONE = f"{ALL}/{{watchlist_id:str}}"

Title: TypeAlias = Annotated[
    str, Meta(max_length=1000, description=f"1 to {rules.MAX_TITLE} characters.")
]
Description: TypeAlias = Annotated[
    str, Meta(max_length=10_000, description=f"At most {rules.MAX_DESCRIPTION} characters.")
]
Tags: TypeAlias = Annotated[
    list[Annotated[str, Meta(max_length=500)]],
    Meta(
        max_length=200,
        description=f"At most {rules.MAX_TAGS} of at most {rules.MAX_TAG} characters.",
    ),
]


api = Operations("Watchlists: lists")


class NewWatchlist(Body, kw_only=True):
    """A list to be."""

    title: Title
    description: Description | None = None
    tags: Tags = field(default_factory=list)
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


@api.post(ALL, Need.NOT_ACTING, errors=(403, 409))
async def create_watchlist(
    ctx: Ctx, publishers: Publishers, new: NewWatchlist
) -> JsonResponse[views.WatchlistView]:
    """Create a list; public at once where the caller may publish and does not say otherwise."""
    made = await lists.create_list(ctx, ListDraft(**asdict(new)), who_publishes=publishers)
    return tagged_with(views.list_tag(made), lambda: views.watchlist(made), status=201)


@api.get(f"{ALL}/mine", Need.SIGNED_IN)
async def list_my_watchlists(ctx: Ctx, paging: Paging) -> PagedList[views.WatchlistView]:
    """List one’s own lists, private ones included, newest first."""
    found = await lists.my_lists(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList(views.watchlists(found.items), found.cursor)


@api.get(ONE, Need.ANYONE, errors=(304, 404))
async def get_watchlist(
    visitor: AnyVisitor, watchlist_id: str, if_none_match: IfNoneMatch, asked: MaybeKey
) -> JsonResponse[views.WatchlistPage]:
    """Get a list with everything on it, in order; a private one with the key of its link."""
    view = await see_list(replace(visitor, view_key=asked.key), watchlist_id)
    return tagged_with(
        views.page_tag(view), lambda: views.watchlist_page(view), unless=if_none_match
    )


@api.patch(ONE, Need.NOT_ACTING, errors=(403, 404, 409, 412))
async def change_watchlist(
    ctx: Ctx, publishers: Publishers, watchlist_id: str, if_match: IfMatch, changes: ListChanges
) -> JsonResponse[views.WatchlistView]:
    """Change a list of one’s own, or publish it or make it private.

    What is left out stays as it is.
    """
    cover = changes.cover.id if isinstance(changes.cover, TitleBody) else changes.cover
    change = ListChange(**asdict(changes) | {"cover": cover})
    version = await _version_matched(ctx, watchlist_id, if_match)
    changed = await lists.change_list(
        ctx, watchlist_id, change, who_publishes=publishers, version=version
    )
    return tagged_with(views.list_tag(changed), lambda: views.watchlist(changed))


@api.delete(ONE, Need.NOT_ACTING, errors=(403, 404, 409))
async def delete_watchlist(ctx: Ctx, watchlist_id: str) -> None:
    """Delete a list of one’s own with everything on it."""
    await lists.delete_list(ctx, watchlist_id)


@api.post(f"{ONE}/copy", Need.NOT_ACTING, errors=(404, 409))
async def copy_watchlist(
    ctx: Ctx, watchlist_id: str, asked: MaybeKey | None = None
) -> views.WatchlistView:
    """Copy a list that one may read into a private one of one’s own."""
    key = "" if asked is None else asked.key
    return views.watchlist(await copies.copy_list(ctx, watchlist_id, view_key=key))


async def _version_matched(ctx: Context, watchlist_id: str, if_match: str | None) -> int | None:
    """Returns the version that must still be there; None where any may be changed."""
    if if_match is None:
        return None
    found = await own_list(ctx, watchlist_id)
    check_tag(if_match, views.list_tag(found))
    return found.version
