"""Reviews of a title as its page shows them: newest first, with who wrote them."""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Forbidden, NotFound
from commonroom.store import Store, delete, equal, put
from commonroom.titles.stored_titles import load_title
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.access import retry
from commonroom.watchlists.service.opaque_ids import review_author, review_id
from commonroom.watchlists.service.ratings import load_opinion, removal, review_of
from commonroom.watchlists.tables import Profile, Rating, TitleReview, reviews_of_title

PAGE = 20


class AttributedReview(Struct, frozen=True):
    """A review, and who wrote it; None where their profile is gone."""

    id: str
    """By which it is removed; it does not tell whose it is."""
    review: TitleReview
    author: Profile | None


class ReviewPage(Struct, frozen=True):
    """A page of reviews, newest first."""

    reviews: list[AttributedReview]
    cursor: str | None


async def see_reviews(
    store: Store,
    title: TitleId,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
    blocked: Container[str] = (),
) -> ReviewPage:
    """A page of what people say about a title: two requests, one where nobody says anything.

    What those say whom the reader has `blocked` is left out.
    """
    asked = reviews_of_title(content_type=title.content_type, content_id=title.content_id)
    page = await store.page(asked, limit=limit, cursor=cursor)
    ids = list(dict.fromkeys(one.user_id for one in page.items))
    profiles = await store.batch_get([Profile.at(user_id=one) for one in ids])
    authors = dict(zip(ids, profiles, strict=True))
    shown = [
        AttributedReview(review_id(store, title, one.user_id), one, authors[one.user_id])
        for one in page.items
        if one.user_id not in blocked
    ]
    return ReviewPage(shown, page.cursor)


@retry
async def remove_review(ctx: Context, title: TitleId, id_: str) -> None:
    """Removes a person's review of a title and leaves their rating, if there is one.

    Administrators may.
    """
    if not ctx.person.is_admin:
        raise Forbidden("Only an administrator can remove other people’s reviews.")
    user_id = review_author(ctx.store, title, id_)
    if user_id is None:
        raise _no_such_review()
    key = {"content_type": title.content_type, "content_id": title.content_id}

    rating = await ctx.store.get(Rating.at(user_id=user_id, **key))
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
