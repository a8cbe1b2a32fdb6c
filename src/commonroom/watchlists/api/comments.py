"""Comments on lists."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from commonroom.accounts.api.views import Moment
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import Through, projection
from commonroom.watchlists.api import lists
from commonroom.watchlists.api.fields import Key
from commonroom.watchlists.api.list_views import PersonView, person
from commonroom.watchlists.request import AnyVisitor
from commonroom.watchlists.rules.comments import MAX_COMMENT
from commonroom.watchlists.service import comments

ALL = f"{lists.ONE}/comments"


api = Operations("Watchlists: comments")


class CommentPaging(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which part of the comments."""

    key: Key = ""


class NewComment(Body):
    """Something to be said about a list."""

    text: Annotated[
        str,
        Meta(max_length=20_000, description=f"1 to {MAX_COMMENT} characters."),
    ]


class CommentView(Struct, frozen=True):
    """A comment on a list."""

    comment_id: str
    author: PersonView | None
    text: str
    created_at: Moment
    may_delete: bool
    author_handle: Annotated[
        str | None, Meta(description="What `blockPerson` takes; null for guests and one’s own.")
    ]


comment_view = projection(
    comments.AttributedComment,
    CommentView,
    comment_id="id",
    author=Through(person),
    text="comment.comment_text",
    created_at="comment.created_at",
)


@api.get(ALL, Need.ANYONE, errors=(404,))
async def list_comments(
    visitor: AnyVisitor, watchlist_id: str, paging: CommentPaging
) -> PagedList[CommentView]:
    """List what is said about a list, newest first."""
    found = await comments.see_comments(
        replace(visitor, view_key=paging.key),
        watchlist_id,
        limit=paging.limit,
        cursor=paging.cursor,
    )
    return PagedList([comment_view(one) for one in found.items], found.cursor)


@api.post(ALL, Need.NOT_ACTING, errors=(404, 409, 429))
async def add_comment(ctx: Ctx, watchlist_id: str, new: NewComment) -> CommentView:
    """Say something about a public list."""
    return comment_view(await comments.add_comment(ctx, watchlist_id, new.text))


@api.delete(f"{ALL}/{{comment_id:str}}", Need.NOT_ACTING, errors=(403, 404, 409))
async def delete_comment(visitor: AnyVisitor, watchlist_id: str, comment_id: str) -> None:
    """Delete a comment: its author, the list’s owner and administrators may."""
    await comments.delete_comment(visitor, watchlist_id, comment_id)
