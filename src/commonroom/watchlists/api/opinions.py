"""Opinions for programs: rate, review, mark as seen, and read what people say."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from commonroom.accounts.context import Context
from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import projection
from commonroom.titles.request import TitleInPath
from commonroom.titles.service import Titles
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.request import Catalogue
from commonroom.watchlists.rules.seen import days_of
from commonroom.watchlists.service import ratings, reviews, seen

TITLE = "/titles/{kind:str}/{title_id:str}"
MINE = "/watchlists/ratings"

Stars: TypeAlias = Annotated[int, Meta(description="1 to 10: half stars of five.")]


api = Operations("Watchlists: ratings", errors=(404,))


class RatingBody(Struct, forbid_unknown_fields=True):
    """An opinion of a title: a rating, a review, or both.

    What is left out stays, and null removes it.
    """

    rating: Stars | UnsetType | None = UNSET
    review: Annotated[str, Meta(max_length=20000)] | UnsetType | None = UNSET


class SeenBody(Struct, forbid_unknown_fields=True):
    """When a person saw a title."""

    seen_on: (
        Annotated[str, Meta(max_length=100, description="A day, such as 2026-05-31.")] | None
    ) = None


class RatingView(Struct, frozen=True):
    """A person's rating of a title."""

    content_type: ContentType
    content_id: str
    title: str | None
    rating: Stars | None
    """Null where a review stands alone."""
    review: str | None
    rated_at: str


class OpinionView(Struct, frozen=True):
    """What one thinks of a title, and whether one has seen it."""

    rating: Stars | None
    review: str | None
    rated_at: str | None
    seen: bool
    seen_on: str | None
    other_days: list[str]
    """Days of other viewings, the latest first, as imported."""


class ReviewView(Struct, frozen=True):
    """A review of a title."""

    review_id: str
    username: str | None
    rating: Stars | None
    review: str
    rated_at: str


rating_view = projection(
    ratings.RatedTitle,
    RatingView,
    content_type="rating.content_type",
    content_id="rating.content_id",
    title=lambda one: None if one.title is None else one.title.title,
    rating="rating.rating",
    review="rating.review",
    rated_at="rating.rated_at",
)
review_view = projection(
    reviews.AttributedReview,
    ReviewView,
    review_id="id",
    username=lambda one: None if one.author is None else one.author.username,
    rating="review.rating",
    review="review.review",
    rated_at="review.rated_at",
)


@api.get(f"{TITLE}/opinion", Need.NOT_ACTING)
async def get_opinion(ctx: Ctx, titles: Catalogue, title: TitleInPath) -> OpinionView:
    """Get your own rating of a title, and whether you have seen it."""
    return await _opinion(ctx, titles, title)


@api.put(f"{TITLE}/rating", Need.NOT_ACTING, errors=(403, 404, 409, 422))
async def rate_title(
    ctx: Ctx, titles: Catalogue, title: TitleInPath, body: RatingBody
) -> OpinionView:
    """Rate or review a title, or both; that marks it as seen."""
    await ratings.rate(ctx, titles, title, rating=body.rating, review=body.review)
    return await _opinion(ctx, titles, title)


@api.delete(f"{TITLE}/rating", Need.NOT_ACTING)
async def unrate_title(ctx: Ctx, title: TitleInPath) -> None:
    """Remove your rating and review of a title."""
    await ratings.unrate(ctx.store, ctx.person.user_id, title)


@api.put(f"{TITLE}/seen", Need.NOT_ACTING, errors=(404, 409, 422))
async def mark_title_seen(
    ctx: Ctx, titles: Catalogue, title: TitleInPath, body: SeenBody
) -> OpinionView:
    """Mark a title as seen, on a certain day or some other."""
    await seen.mark_seen(ctx, titles, title, body.seen_on)
    return await _opinion(ctx, titles, title)


@api.delete(f"{TITLE}/seen", Need.NOT_ACTING, errors=(404, 409))
async def unmark_title_seen(ctx: Ctx, titles: Catalogue, title: TitleInPath) -> None:
    """Mark a title as not seen; 409 where you have rated it."""
    await seen.unmark_seen(ctx, titles, title)


@api.get(f"{TITLE}/reviews", Need.SIGNED_IN)
async def list_reviews(ctx: Ctx, title: TitleInPath, paging: Paging) -> PagedList[ReviewView]:
    """List the reviews of a title, newest first."""
    page = await reviews.see_reviews(
        ctx.store,
        title,
        limit=paging.limit,
        cursor=paging.cursor,
        blocked=ctx.person.blocked,
    )
    return PagedList([review_view(one) for one in page.items], page.cursor)


@api.delete(f"{TITLE}/reviews/{{review_id:str}}", Need.ADMINISTRATOR)
async def remove_review(ctx: Ctx, title: TitleInPath, review_id: str) -> None:
    """Remove a person’s review of a title; the rating stays, if there is one."""
    await reviews.remove_review(ctx, title, review_id)


@api.get(MINE, Need.NOT_ACTING, errors=())
async def list_my_ratings(ctx: Ctx, paging: Paging) -> PagedList[RatingView]:
    """List your own ratings."""
    page = await ratings.list_ratings(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([rating_view(one) for one in page.items], page.cursor)


async def _opinion(ctx: Context, titles: Titles, title: TitleId) -> OpinionView:
    found = await titles.find(ctx.store, title)
    if found is None:
        raise NotFound("This title does not exist.")
    opinion = await ratings.load_opinion(ctx.store, ctx.person.user_id, found.facts.id)
    rating = opinion.rating
    return OpinionView(
        rating=None if rating is None else rating.rating,
        review=None if rating is None else rating.review,
        rated_at=None if rating is None else rating.rated_at,
        seen=opinion.has_seen,
        **asdict(days_of(opinion.seen)),
    )
