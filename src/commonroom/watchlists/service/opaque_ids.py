"""Opaque ids of what people say in public: they are found by them, and nobody learns whose id."""

from __future__ import annotations

from commonroom.store import Ref, Store
from commonroom.store.errors import BadCursor
from commonroom.titles.titles import TitleId
from commonroom.watchlists.tables import Comment

COMMENT = "watchlist-comment"
REVIEW = "title-review"


def comment_id(store: Store, comment: Comment) -> str:
    """Returns a comment's id in the API and on pages: its key, sealed and always spelt alike."""
    key = [comment.created_at, comment.user_id]
    return store.seal_position(key, [COMMENT, comment.watchlist_id])


def comment_ref(store: Store, watchlist_id: str, id_: str) -> Ref[Comment] | None:
    """Where the comment with an id is stored; None where it is no id of this list's comments."""
    try:
        created_at, user_id = store.open_position(id_, [COMMENT, watchlist_id])
    except BadCursor:
        return None
    return Comment.at(watchlist_id=watchlist_id, created_at=created_at, user_id=user_id)


def review_id(store: Store, title: TitleId, user_id: str) -> str:
    """A review's id on the pages of a title and in the API, which does not tell its author's."""
    return store.seal_position(user_id, [REVIEW, title.address])


def review_author(store: Store, title: TitleId, id_: str) -> str | None:
    """Returns who wrote the review of a title with an id; None where it is no such id."""
    try:
        user_id: str = store.open_position(id_, [REVIEW, title.address])
    except BadCursor:
        return None
    return user_id
