"""What can drift of opinions: what a title says of its ratings, their pointers, reviews and marks.

The rating that a person gave is the truth; everything else is repaired by it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import TypeVar

from commonroom.store import (
    Entity,
    Ref,
    Store,
    Write,
    check,
    create,
    delete,
    equal,
    new,
    put,
    update,
)
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.checking.each import find_each
from commonroom.store.checking.snapshots import SnapshotCheck
from commonroom.titles.stored_titles import Stored, claim_of, id_of, title_ref
from commonroom.titles.tables import Movie, Show, TmdbClaim
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.ratings import agrees, as_fields, count_ratings
from commonroom.watchlists.rules.seen import without_own
from commonroom.watchlists.service.ratings import pointer_of, review_of, uncounted_since
from commonroom.watchlists.tables import Rating, Seen, TitleRating, TitleReview, ratings_of_title

E = TypeVar("E", bound=Entity)

BATCH = 100
MAX_MENDED = 40
"""Of how many ratings of one title the pointers are repaired in one write."""


class OpinionCheck:
    """Compares ratings with everything that is made of them."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """What is wrong with these things."""
        ratings = _of(things, Rating)
        lost = await _lost_pointers(store, ratings)
        for title, some in lost.items():
            yield await _pointed_again(store, title, some)
        titles: list[Stored] = [*_of(things, Movie), *_of(things, Show)]
        # Those whose pointers are lost have just been counted.
        left = [one for one in titles if id_of(one) not in lost]
        async for problem in find_each(store, _check_title, left):
            yield problem
        for problems in (
            _check_ratings(store, ratings),
            _check_pointers(store, _of(things, TitleRating)),
            _check_reviews(store, _of(things, TitleReview)),
            _check_marks(store, _of(things, Seen)),
            _check_claims(store, _of(things, TmdbClaim)),
        ):
            async for problem in problems:
                yield problem


async def _check_title(store: Store, title: Stored) -> list[Problem]:
    """Whether a title counts the ratings that point to it, and claims its TMDB id."""
    problems = await RATINGS.find(store, title)
    if title.tmdb_id is not None and title.removed_at is None:
        claim = await store.get(_claim(title))
        if claim is None:
            same = check(title, if_=equal(tmdb_id=title.tmdb_id))
            detail = "It does not claim its TMDB id."
            problems.append(Problem.of("claims", title, detail, *claim_of(title), same))
        elif claim.content_id != id_of(title).content_id and title.merged_into is None:
            # Where the other has no right to it, its claim is reported and goes.
            detail = "Another title claims its TMDB id; merge them."
            problems.append(Problem.of("claims", title, detail))
    return problems


def _check_ratings_of(title: Stored, given: dict[str, int | None]) -> Iterator[Problem]:
    if title.removed_at is None and not agrees(title, count_ratings(given.values())):
        detail = f"It counts {title.rating_count} ratings; they are {len(given)}, or others."
        yield Problem.of("ratings", title, detail, *_recounted(title, given.values()))


async def _given(store: Store, title: TitleId) -> dict[str, int | None]:
    """What people gave a title, by person: as their own ratings say that it is pointed to."""
    given: dict[str, int | None] = {}
    cursor, first = None, True
    while first or cursor is not None:
        asked = ratings_of_title(content_type=title.content_type, content_id=title.content_id)
        page = await store.page(asked, limit=BATCH, cursor=cursor)
        found = await store.batch_get([_rating(one) for one in page.items])
        given |= {one.user_id: one.rating for one in found if one is not None}
        cursor, first = page.cursor, False
    return given


async def _lost_pointers(store: Store, ratings: Sequence[Rating]) -> dict[TitleId, list[Rating]]:
    """Ratings to which their title does not point, or only with another number."""
    there = await store.batch_get([pointer_of(one).ref for one in ratings])
    lost: dict[TitleId, list[Rating]] = {}
    for one, pointer in zip(ratings, there, strict=True):
        if pointer != pointer_of(one):
            lost.setdefault(_key(one), []).append(one)
    return lost


async def _pointed_again(store: Store, title: TitleId, ratings: Sequence[Rating]) -> Problem:
    """One write for all of a title, since each changes what the title says of its ratings."""
    some = ratings[:MAX_MENDED]
    given = await _given(store, title) | {one.user_id: one.rating for one in some}
    rated: Stored | None = await store.get(title_ref(title))
    counted = [] if rated is None else _recounted(rated, given.values())
    repair = [write for one in some for write in (put(pointer_of(one)), _unchanged(one))]
    return Problem.of("pointers", some[0], "Its title does not point to it.", *repair, *counted)


async def _check_ratings(store: Store, ratings: Sequence[Rating]) -> AsyncIterator[Problem]:
    """Whether the review of each rating is shown, and its title marked as seen."""
    reviews = [(one, shown) for one in ratings if (shown := review_of(one)) is not None]
    there = await store.batch_get([shown.ref for _, shown in reviews])
    for (one, shown), found in zip(reviews, there, strict=True):
        if found != shown:
            detail = "Its review is not on the page of its title."
            yield Problem.of("reviews", one, detail, put(shown), _unchanged(one))
    marks = await store.batch_get([_seen(one) for one in ratings])
    for one, mark in zip(ratings, marks, strict=True):
        if mark is None or mark.own is None:
            detail = "It is not marked as seen."
            yield Problem.of("seen", one, detail, _marked(one, mark), _unchanged(one))


async def _check_pointers(store: Store, pointers: Sequence[TitleRating]) -> AsyncIterator[Problem]:
    there = await store.batch_get([_rating(one) for one in pointers])
    for pointer, rating in zip(pointers, there, strict=True):
        if rating is None:  # one that differs is repaired from the rating
            gone = check(_rating(pointer), if_=new)
            detail = "It points to a rating that is gone."
            yield Problem.of("pointers", pointer, detail, delete(pointer), gone)


async def _check_reviews(store: Store, reviews: Sequence[TitleReview]) -> AsyncIterator[Problem]:
    there = await store.batch_get([_rating(one) for one in reviews])
    for review, rating in zip(reviews, there, strict=True):
        shown = None if rating is None else review_of(rating)
        if shown is not None and shown.ref.key == review.ref.key:
            continue  # one that says something else is repaired from the rating
        held = check(_rating(review), if_=new) if rating is None else _unchanged(rating)
        yield Problem.of("reviews", review, "It shows a review that is gone.", delete(review), held)


async def _check_marks(store: Store, marks: Sequence[Seen]) -> AsyncIterator[Problem]:
    by_rating = [one for one in marks if one.own == "rating"]
    there = await store.batch_get([_rating(one) for one in by_rating])
    for mark, rating in zip(by_rating, there, strict=True):
        if rating is None:
            left = without_own(mark)
            away = (
                delete(mark, if_=equal(version=mark.version))
                if left is None
                else update(mark, **left)
            )
            gone = check(_rating(mark), if_=new)
            yield Problem.of("seen", mark, "It came with a rating that is gone.", away, gone)


async def _check_claims(store: Store, claims: Sequence[TmdbClaim]) -> AsyncIterator[Problem]:
    refs = [title_ref(TitleId(one.content_type, one.content_id)) for one in claims]
    there = await store.batch_get(refs)
    for claim, ref, title in zip(claims, refs, there, strict=True):
        if title is None:
            yield Problem.of(
                "claims",
                claim,
                "It claims a TMDB id for a title that is gone.",
                delete(claim),
                check(ref, if_=new),
            )
        elif title.tmdb_id != claim.tmdb_id:
            held = check(title, if_=equal(tmdb_id=title.tmdb_id))
            yield Problem.of(
                "claims",
                claim,
                "It claims a TMDB id that its title does not have.",
                delete(claim),
                held,
            )


def _recounted(title: Stored, ratings: Iterable[int | None]) -> list[Write]:
    """What makes a title say what its ratings are; nothing where it is on its way out."""
    if title.removed_at is not None:
        return []
    fields = as_fields(count_ratings(ratings))
    return [update(title.ref, **fields, if_=uncounted_since(title))]


def _marked(rating: Rating, mark: Seen | None) -> Write:
    if mark is not None:
        return update(mark, own="rating")
    return create(mark_of(rating))


def mark_of(rating: Rating) -> Seen:
    """The mark of a title as seen that comes with a rating."""
    return Seen(**_seen(rating).fields, marked_at=rating.rated_at, own="rating")


def _unchanged(rating: Rating) -> Write:
    return check(rating, if_=equal(version=rating.version))


def _of(things: Sequence[StoredEntity], kind: type[E]) -> list[E]:
    return [thing.entity for thing in things if isinstance(thing.entity, kind)]


def _key(rating: Rating) -> TitleId:
    return TitleId(rating.content_type, rating.content_id)


def _rating(about: TitleRating | TitleReview | Seen) -> Ref[Rating]:
    return Rating.at(
        user_id=about.user_id, content_type=about.content_type, content_id=about.content_id
    )


def _seen(rating: Rating) -> Ref[Seen]:
    return Seen.at(
        user_id=rating.user_id, content_type=rating.content_type, content_id=rating.content_id
    )


def _claim(title: Stored) -> Ref[TmdbClaim]:
    return TmdbClaim.at(content_type=id_of(title).content_type, tmdb_id=title.tmdb_id)


RATINGS = SnapshotCheck(
    (Movie, Show), lambda store, title: _given(store, id_of(title)), _check_ratings_of
)
