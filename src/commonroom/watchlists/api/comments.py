"""Comments on lists."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.watchlists.api import lists, views
from commonroom.watchlists.api.bodies import Key, NewComment
from commonroom.watchlists.request import AnyVisitor
from commonroom.watchlists.service import comments

ALL = f"{lists.ONE}/comments"


api = Operations("Watchlists: comments")


class CommentPaging(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which part of the comments."""

    key: Key = ""


@api.get(ALL, Need.ANYONE, errors=(404,))
async def list_comments(
    visitor: AnyVisitor, watchlist_id: str, paging: CommentPaging
) -> PagedList[views.CommentView]:
    """List what is said about a list, newest first."""
    found = await comments.see_comments(
        replace(visitor, view_key=paging.key),
        watchlist_id,
        limit=paging.limit,
        cursor=paging.cursor,
    )
    return PagedList([views.comment(one) for one in found.comments], found.cursor)


@api.post(ALL, Need.NOT_ACTING, errors=(404, 409, 429))
async def add_comment(ctx: Ctx, watchlist_id: str, new: NewComment) -> views.CommentView:
    """Say something about a public list."""
    return views.comment(await comments.add_comment(ctx, watchlist_id, new.text))


@api.delete(f"{ALL}/{{comment_id:str}}", Need.NOT_ACTING, errors=(403, 404, 409))
async def delete_comment(visitor: AnyVisitor, watchlist_id: str, comment_id: str) -> None:
    """Delete a comment: its author, the list’s owner and administrators may."""
    await comments.delete_comment(visitor, watchlist_id, comment_id)
