"""Reviews of a title as its page shows them: newest first, with who wrote them."""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Forbidden, NotFound
from commonroom.store import Page, Store, delete, equal, put
from commonroom.store.errors import BadCursor
from commonroom.titles.stored_titles import load_title
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.access import retry
from commonroom.watchlists.service.profiles import load_profiles
from commonroom.watchlists.service.ratings import load_opinion, removal, review_of
from commonroom.watchlists.tables import Profile, Rating, TitleReview, reviews_of_title

PAGE = 20
SEALED_AS = "title-review"


class AttributedReview(Struct, frozen=True):
    """A review, and who wrote it; None where their profile is gone."""

    id: str
    """By which it is removed; it does not tell whose it is."""
    review: TitleReview
    author: Profile | None


async def see_reviews(
    store: Store,
    title: TitleId,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
    blocked: Container[str] = (),
) -> Page[AttributedReview]:
    """A page of what people say about a title: two requests, one where nobody says anything.

    What those say whom the reader has `blocked` is left out.
    """
    page = await store.page(reviews_of_title(**title.key), limit=limit, cursor=cursor)
    authors = await load_profiles(store, [one.user_id for one in page.items])
    shown = [
        AttributedReview(review_id(store, title, one.user_id), one, authors[one.user_id])
        for one in page.items
        if one.user_id not in blocked
    ]
    return Page(shown, page.seal)


def review_id(store: Store, title: TitleId, user_id: str) -> str:
    """A review's id on the pages of a title and in the API, which does not tell its author's."""
    return store.seal_position(user_id, [SEALED_AS, title.address])


def _author_of(store: Store, title: TitleId, id_: str) -> str:
    try:
        user_id: str = store.open_position(id_, [SEALED_AS, title.address])
    except BadCursor:
        raise _no_such_review() from None
    return user_id


@retry
async def remove_review(ctx: Context, title: TitleId, id_: str) -> None:
    """Removes a person's review of a title and leaves their rating, if there is one.

    Administrators may.
    """
    if not ctx.person.is_admin:
        raise Forbidden("Only an administrator can remove other people’s reviews.")
    user_id = _author_of(ctx.store, title, id_)
    rating = await ctx.store.get(Rating.at(user_id=user_id, **title.key))
    shown = None if rating is None else review_of(rating)
    if rating is None or shown is None:
        raise _no_such_review()
    if rating.rating is None:
        title_now = await load_title(ctx.store, title)
        opinion = await load_opinion(ctx.store, user_id, title)
        await ctx.store.write(*removal(rating, opinion.seen, title_now))
        return
    without = replace(rating, review=None, version=rating.version + 1)
    await ctx.store.write(put(without, if_=equal(version=rating.version)), delete(shown))


def _no_such_review() -> NotFound:
    return NotFound("This review does not exist.")
