"""Ratings: one per person and title, and what the title says of all of them, in one write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from commonroom.accounts.context import Context
from commonroom.errors import FieldErrors, InvalidField
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    Page,
    Ref,
    Store,
    Write,
    absent,
    as_read,
    check,
    create,
    delete,
    equal,
    present,
    put,
    update,
)
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import Stored, id_of, load_title
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules import ratings as rules
from commonroom.watchlists.rules.seen import days_of, without_own
from commonroom.watchlists.service.access import (
    not_suspended,
    retry,
    still_there,
    write_unless_suspended,
)
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.service.titles import load_titles
from commonroom.watchlists.tables import Rating, Seen, TitleRating, TitleReview, ratings_of_user


class Opinion(Struct, frozen=True):
    """A person's opinion of a title, and whether they have seen it."""

    rating: Rating | None = None
    seen: Seen | None = None

    @property
    def has_seen(self) -> bool:
        """Whether they say so, or were there."""
        return self.seen is not None and self.seen.is_seen


class RatedTitle(Struct, frozen=True):
    """A rating, and the title that it is of."""

    rating: Rating
    title: Stored | None


async def load_opinion(store: Store, user_id: str, title: TitleId) -> Opinion:
    """Returns a person's opinion of a title: one request."""
    return Opinion(*await store.batch_get(opinion_refs(user_id, title)))


def opinion_refs(user_id: str, title: TitleId) -> list[Ref[Any]]:
    """Returns where a person's rating of a title is, and their mark."""
    key = {"user_id": user_id, **title.key}
    return [Rating.at(**key), Seen.at(**key)]


async def rate(
    ctx: Context,
    titles: Titles,
    title: TitleId,
    *,
    rating: int | UnsetType | None = UNSET,
    review: str | UnsetType | None = UNSET,
) -> Rating | None:
    """Rates or reviews a title, also again; rating it marks it as seen.

    What is not given stays as it was, and None takes it back: where nothing is left, all of it
    goes. A review may stand alone. A suspended curator rates, and writes no reviews.
    """
    errors = FieldErrors()
    given = rating if not isinstance(rating, int) else errors.check(rules.check_rating, rating)
    typed = None if isinstance(review, UnsetType) else errors.check(rules.clean_review, review)
    errors.raise_if_any()
    if typed is not None:
        await ensure_profile(ctx)  # others see a name

    @retry
    async def attempt() -> Rating | None:
        rated = await titles.ensure_stored(ctx.store, title, ctx.now)
        before = await load_opinion(ctx.store, ctx.person.user_id, id_of(rated))
        last = before.rating
        stars = _kept(last, "rating") if isinstance(given, UnsetType) else given
        said = _kept(last, "review") if isinstance(review, UnsetType) else typed
        if last is not None and (last.rating, last.review) == (stars, said):
            return last
        if stars is None and said is None:
            if last is None:
                field = "rating" if isinstance(review, UnsetType) else "review"
                raise InvalidField(field, "Choose your stars, or write a review.")
            await ctx.store.write(*removal(last, before.seen, rated), still_there(ctx.person))
            return None
        after = Rating(
            user_id=ctx.person.user_id,
            **id_of(rated).key,
            rating=stars,
            review=said,
            rated_at=iso(ctx.now),
            version=1 if last is None else last.version + 1,
        )
        writes = rating_writes(ctx.now, rated, before, after)
        is_new = said is not None and said != _kept(last, "review")
        held = [not_suspended(ctx.person.user_id)] if is_new else []
        await write_unless_suspended(ctx.store, *writes, *held, still_there(ctx.person))
        return after

    return await attempt()


def _kept(last: Rating | None, field: str) -> Any:
    return None if last is None else getattr(last, field)


def rating_writes(
    now: float,
    rated: Stored,
    before: Opinion,
    after: Rating,
    *,
    days: Sequence[str] = (),
    mark: Mapping[str, Any] | None = None,
) -> list[Write]:
    """What gives a title a rating, in place of the last one, and marks it as seen on these days.

    A `mark` that is there becomes what is given instead.
    """
    return [
        *stars_writes(rated, before.rating, after),
        _mark_seen(now, before.seen, after, days)
        if before.seen is None or mark is None
        else update(before.seen, **mark),
    ]


def stars_writes(rated: Stored, last: Rating | None, after: Rating) -> list[Write]:
    """Returns what gives a title a rating in place of the last one, without a mark."""
    return [
        create(after) if last is None else put(after, if_=equal(version=last.version)),
        _count(rated, last, after),
        put(pointer_of(after)),
        *_move_review(last, after),
    ]


@retry
async def unrate(store: Store, user_id: str, title: TitleId) -> None:
    """Removes a person's rating with its review, if there is one; and the mark that came with it.

    A title that is not there any more takes no part in it.
    """
    rated = await load_title(store, title)
    of = title if rated is None else id_of(rated)
    opinion = await load_opinion(store, user_id, of)
    if opinion.rating is not None:
        await store.write(*removal(opinion.rating, opinion.seen, rated))


def removal(rating: Rating, seen: Seen | None, rated: Stored | None) -> list[Write]:
    """Returns what takes a rating away from a title, and from one that is gone."""
    return [
        delete(rating, if_=equal(version=rating.version)),
        *([] if rated is None else [_count(rated, rating, None)]),
        delete(pointer_of(rating)),
        *_move_review(rating, None),
        *_unmark_seen(seen),
    ]


async def list_ratings(
    ctx: Context, *, limit: int = 50, cursor: str | None = None
) -> Page[RatedTitle]:
    """Returns a page of one's own ratings with their titles: two requests."""
    asked = ratings_of_user(user_id=ctx.person.user_id)
    page = await ctx.store.page(asked, limit=limit, cursor=cursor)
    found = await load_titles(ctx.store, page.items)
    return Page([RatedTitle(*one) for one in zip(page.items, found, strict=True)], page.seal)


def pointer_of(rating: Rating) -> TitleRating:
    """Returns the way from a title to a rating of it."""
    of = TitleId.of(rating).key
    return TitleRating(**of, user_id=rating.user_id, rating=rating.rating)


def review_of(rating: Rating) -> TitleReview | None:
    """Returns a rating as its title's page shows it; None where nothing was said."""
    if rating.review is None:
        return None
    return TitleReview(
        **TitleId.of(rating).key,
        user_id=rating.user_id,
        rated_at=rating.rated_at,
        rating=rating.rating,
        review=rating.review,
    )


def _count(rated: Stored, before: Rating | None, after: Rating | None) -> Write:
    """What a title says of its ratings after one has changed, if nobody changed any meanwhile."""
    counted = rules.with_change(
        rules.ratings_of(rated),
        gone=[] if before is None else [before.rating],
        given=[] if after is None else [after.rating],
    )
    return update(rated.ref, **rules.as_fields(counted), if_=uncounted_since(rated))


def uncounted_since(rated: Stored) -> Condition:
    """That no rating of a title has changed since it was read, and that it is there to stay."""
    same = as_read(rated, "rating_count", "rating_sum", "rating_spread", "unrated_review_count")
    return same & absent("removed_at")


def _move_review(before: Rating | None, after: Rating | None) -> list[Write]:
    """Returns what puts a review where it belongs by its time, and takes the last one away."""
    old = None if before is None else review_of(before)
    new = None if after is None else review_of(after)
    writes: list[Write] = [] if new is None else [put(new)]
    if old is not None and (new is None or old.ref.key != new.ref.key):
        writes.append(delete(old))
    return writes


def _mark_seen(now: float, seen: Seen | None, rating: Rating, days: Sequence[str]) -> Write:
    marked: dict[str, Any] = {"own": "rating", "marked_at": iso(now)}
    after = days_of(seen).with_more(days)
    if seen is None:
        key = TitleId.of(rating).key
        return create(Seen(user_id=rating.user_id, **key, **marked, **asdict(after)))
    if seen.own is None:
        return update(seen, **marked, **asdict(after))
    if after != days_of(seen):
        return update(seen, **asdict(after))
    return check(seen, if_=present("own"))


def _unmark_seen(seen: Seen | None) -> list[Write]:
    """Returns what takes a mark away that came with a rating alone."""
    if seen is None or seen.own != "rating":
        return []
    return [unmark(seen)]


def unmark(seen: Seen) -> Write:
    """Returns what takes a person's own mark back; evenings spent together stay."""
    left = without_own(seen)
    if left is None:
        return delete(seen, if_=equal(version=seen.version))
    return update(seen, **left)
