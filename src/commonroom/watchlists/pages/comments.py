"""What people say about a list."""

from __future__ import annotations

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.request import AnyVisitor
from commonroom.watchlists.service import comments

HERE = f"{addresses.LISTS}/{{watchlist_id}}#comments"


pages = Pages()


class CommentForm(Form):
    """A comment."""

    text: str


class DeleteCommentForm(Form):
    """Which comment goes."""

    comment_id: Line


@pages.form(
    f"{addresses.LIST}/comments",
    Need.NOT_ACTING,
    on=addresses.LIST,
    slot="comment_form",
    leads_to=HERE,
    flash="comment-added",
)
async def add_comment(ctx: Ctx, watchlist_id: str, data: CommentForm) -> None:
    """Says something about a list."""
    await comments.add_comment(ctx, watchlist_id, data.text)


@pages.form(
    f"{addresses.LIST}/comments/delete",
    Need.NOT_ACTING,
    on=addresses.LIST,
    leads_to=HERE,
    flash="comment-deleted",
)
async def delete_comment(visitor: AnyVisitor, watchlist_id: str, data: DeleteCommentForm) -> None:
    """Takes a comment away."""
    await comments.delete_comment(visitor, watchlist_id, data.comment_id)
