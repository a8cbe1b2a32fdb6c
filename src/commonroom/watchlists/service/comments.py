"""Comments on lists: made on public ones, deleted by author, owner or administrator."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.blocks import person_handle
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Page, Ref, Store, Write, check, equal, insert, remove
from commonroom.store.errors import BadCursor
from commonroom.watchlists.relations import user_comment_of
from commonroom.watchlists.rules import comments as rules
from commonroom.watchlists.rules.lists import may_read
from commonroom.watchlists.service.access import (
    ListVisitor,
    get_list,
    no_such_list,
    not_suspended,
    readable_list,
    retry,
    still_there,
    write_unless_suspended,
)
from commonroom.watchlists.service.profiles import ensure_profile, load_profiles
from commonroom.watchlists.tables import Comment, Profile, Watchlist, comments

BY_PERSON = Limit("watchlist-comment", 10, 10 * 60)
"""Ten at once, then one a minute."""
MAX_COLLISIONS = 1000
"""How many comments one person can have in one second, by whatever clock."""
SEALED_AS = "watchlist-comment"


pointer_of = user_comment_of


class AttributedComment(Struct, frozen=True):
    """A comment as it is shown."""

    id: str
    """By which it is deleted; it does not tell whose it is."""
    comment: Comment
    author: Profile | None
    may_delete: bool
    author_handle: str | None
    """What blocks its author; None for guests, and for one's own."""


async def add_comment(ctx: Context, watchlist_id: str, text: str) -> AttributedComment:
    """Says something about a public list."""
    said = rules.comment_text(text)
    found = await get_list(ctx.store, watchlist_id)
    _check_commentable(found, ctx.person.user_id)
    author = await ensure_profile(ctx)  # others see a name
    await count_try(ctx.store, ctx.now, BY_PERSON, ctx.person.user_id)
    made = Comment(
        watchlist_id=watchlist_id,
        user_id=ctx.person.user_id,
        comment_text=said,
        created_at=iso(ctx.now),
        list_owner_id=found.curator_id,
    )
    for _ in range(MAX_COLLISIONS):
        try:
            await write_unless_suspended(ctx.store, *_add_writes(ctx, made))
        except ConditionFailed as failed:
            if isinstance(failed.entity, Comment):
                made = replace(made, created_at=rules.next_millisecond(made.created_at))
                continue
            _check_commentable(await get_list(ctx.store, watchlist_id), ctx.person.user_id)
            raise retry.conflict() from None
        id_ = comment_id(ctx.store, made)
        return AttributedComment(id_, made, author, may_delete=True, author_handle=None)
    raise retry.conflict()


def comment_id(store: Store, comment: Comment) -> str:
    """Returns a comment's id in the API and on pages: its key, sealed and always spelt alike."""
    key = [comment.created_at, comment.user_id]
    return store.seal_position(key, [SEALED_AS, comment.watchlist_id])


def _comment_ref(store: Store, watchlist_id: str, id_: str) -> Ref[Comment] | None:
    """Where the comment with an id is stored; None where it is no id of this list's comments."""
    try:
        created_at, user_id = store.open_position(id_, [SEALED_AS, watchlist_id])
    except BadCursor:
        return None
    return Comment.at(watchlist_id=watchlist_id, created_at=created_at, user_id=user_id)


def _check_commentable(found: Watchlist, user_id: str) -> None:
    if not may_read(found, user_id):
        raise no_such_list()
    if not found.is_public:
        raise Conflict("Only public lists can be commented on.")


def _add_writes(ctx: Context, made: Comment) -> list[Write]:
    ref = Watchlist.at(watchlist_id=made.watchlist_id)
    return [
        *insert(made),
        check(ref, if_=equal(is_public=True)),
        still_there(ctx.person),
        not_suspended(ctx.person.user_id),
    ]


@retry
async def delete_comment(visitor: ListVisitor, watchlist_id: str, id_: str) -> None:
    """Deletes a comment: its author, the list's owner and administrators may."""
    found = await readable_list(visitor, watchlist_id)
    ref = _comment_ref(visitor.store, watchlist_id, id_)
    comment = None if ref is None else await visitor.store.get(ref)
    if comment is None:
        raise NotFound("This comment does not exist.")
    if not _may_delete(found, comment, visitor):
        raise Forbidden("You cannot delete other people’s comments here.")
    await visitor.store.write(*remove(comment))


async def see_comments(
    visitor: ListVisitor, watchlist_id: str, *, limit: int = 50, cursor: str | None = None
) -> Page[AttributedComment]:
    """Returns a page of what is said about a list that one may read: three requests."""
    found = await readable_list(visitor, watchlist_id)
    return await load_comments(visitor, found, limit=limit, cursor=cursor)


async def load_comments(
    visitor: ListVisitor, found: Watchlist, *, limit: int = 50, cursor: str | None = None
) -> Page[AttributedComment]:
    """Returns a page of what is said about a list that was read: two requests, or none.

    What those say whom the reader has blocked is left out.
    """
    if not found.comment_count and cursor is None:
        return Page([], None)
    asked = comments(watchlist_id=found.watchlist_id)
    page = await visitor.store.page(asked, limit=limit, cursor=cursor)
    authors = await load_profiles(visitor.store, [one.user_id for one in page.items])
    shown = [
        AttributedComment(
            comment_id(visitor.store, one),
            one,
            authors[one.user_id],
            _may_delete(found, one, visitor),
            _handle(visitor, authors[one.user_id]),
        )
        for one in page.items
        if one.user_id not in visitor.blocked
    ]
    return Page(shown, page.seal)


def _handle(visitor: ListVisitor, author: Profile | None) -> str | None:
    if author is None or visitor.user_id in (None, author.user_id):
        return None
    return person_handle(visitor.store, author.user_id, author.username)


def _may_delete(found: Watchlist, comment: Comment, visitor: ListVisitor) -> bool:
    me = visitor.user_id
    return me is not None and (visitor.is_admin or me in (comment.user_id, found.curator_id))
