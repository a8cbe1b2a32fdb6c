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
from commonroom.store.checking.each import find_each, read_originals
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule, Unreadable
from commonroom.store.checking.snapshots import SnapshotCheck
from commonroom.titles.stored_titles import Stored, claim_of, id_of, title_ref
from commonroom.titles.tables import Movie, Show, TmdbClaim
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.ratings import agrees, as_fields, count_ratings
from commonroom.watchlists.rules.seen import without_own
from commonroom.watchlists.service.ratings import pointer_of, review_of, uncounted_since
from commonroom.watchlists.tables import Rating, Seen, TitleRating, TitleReview, ratings_of_title

E = TypeVar("E", bound=Entity)

MAX_MENDED = 40
"""Of how many ratings of one title the pointers are repaired in one write."""


class OpinionCheck:
    """Compares ratings with what their titles say of them."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """What is wrong with these things."""
        lost = await _lost_pointers(store, _of(things, Rating))
        for title, some in lost.items():
            yield await _pointed_again(store, title, some)
        titles: list[Stored] = [*_of(things, Movie), *_of(things, Show)]
        # Those whose pointers are lost have just been counted.
        left = [one for one in titles if id_of(one) not in lost]
        async for problem in find_each(store, RATINGS.find, left):
            yield problem


def _check_ratings_of(title: Stored, given: dict[str, int | None]) -> Iterator[Problem]:
    if title.removed_at is None and not agrees(title, count_ratings(given.values())):
        detail = f"It counts {title.rating_count} ratings; they are {len(given)}, or others."
        yield Problem.of("ratings", title, detail, *_recounted(title, given.values()))


async def _given(store: Store, title: TitleId) -> dict[str, int | None]:
    """What people gave a title, by person: as their own ratings say that it is pointed to."""
    asked = ratings_of_title(content_type=title.content_type, content_id=title.content_id)
    return {one.user_id: one.rating async for one in read_originals(store, asked, _rating)}


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


async def _check_rating(one: Rating, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    """Whether the review of a rating is shown, and its title marked as seen."""
    shown, same = review_of(one), _unchanged(one)
    there = None if shown is None else await found.at(shown.ref)
    if shown is not None and there != shown and not isinstance(there, Unreadable):
        detail = "Its review is not on the page of its title."
        yield RelatedProblem("reviews", detail, [put(shown), same])
    mark = await found.at(_seen(one))
    if mark is None:
        yield RelatedProblem("seen", "It is not marked as seen.", [create(mark_of(one)), same])
    elif isinstance(mark, Seen) and mark.own is None:
        marked = update(mark, own="rating")
        yield RelatedProblem("seen", "It is not marked as seen.", [marked, same])


async def _check_review(one: TitleReview, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    rating = await found.at(_rating(one))
    shown = review_of(rating) if isinstance(rating, Rating) else None
    if isinstance(rating, Unreadable) or (shown is not None and shown.ref.key == one.ref.key):
        return  # one that says something else is repaired from the rating
    held = _unchanged(rating) if isinstance(rating, Rating) else check(_rating(one), if_=new)
    yield RelatedProblem("reviews", "It shows a review that is gone.", [delete(one), held])


async def _check_mark(one: Seen, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if one.own == "rating" and await found.at(_rating(one)) is None:
        left = without_own(one)
        same = equal(version=one.version)
        away = delete(one, if_=same) if left is None else update(one, **left)
        gone = check(_rating(one), if_=new)
        yield RelatedProblem("seen", "It came with a rating that is gone.", [away, gone])


async def _check_title(one: Stored, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    """Whether a title claims its TMDB id."""
    if one.tmdb_id is None or one.removed_at is not None:
        return
    claim = await found.at(_claim(one))
    if claim is None:
        same = check(one, if_=equal(tmdb_id=one.tmdb_id))
        yield RelatedProblem("claims", "It does not claim its TMDB id.", [*claim_of(one), same])
    elif isinstance(claim, TmdbClaim) and one.merged_into is None and not _is_of(claim, one):
        # Where the other has no right to it, its claim is reported and goes.
        yield RelatedProblem("claims", "Another title claims its TMDB id; merge them.")


async def _check_claim(one: TmdbClaim, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    ref = title_ref(TitleId(one.content_type, one.content_id))
    title = await found.at(ref)
    if title is None:
        detail = "It claims a TMDB id for a title that is gone."
        yield RelatedProblem("claims", detail, [delete(one), check(ref, if_=new)])
    elif isinstance(title, Movie | Show) and title.tmdb_id != one.tmdb_id:
        held = check(title, if_=equal(tmdb_id=title.tmdb_id))
        detail = "It claims a TMDB id that its title does not have."
        yield RelatedProblem("claims", detail, [delete(one), held])


def _recounted(title: Stored, ratings: Iterable[int | None]) -> list[Write]:
    """What makes a title say what its ratings are; nothing where it is on its way out."""
    if title.removed_at is not None:
        return []
    fields = as_fields(count_ratings(ratings))
    return [update(title.ref, **fields, if_=uncounted_since(title))]


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


def _is_of(claim: TmdbClaim, title: Stored) -> bool:
    return claim.content_id == id_of(title).content_id


def _claim(title: Stored) -> Ref[TmdbClaim]:
    return TmdbClaim.at(content_type=id_of(title).content_type, tmdb_id=title.tmdb_id)


RATINGS = SnapshotCheck(
    (Movie, Show), lambda store, title: _given(store, id_of(title)), _check_ratings_of
)

RULES: dict[type[Entity], Rule] = {
    Rating: _check_rating,
    TitleReview: _check_review,
    Seen: _check_mark,
    Movie: _check_title,
    Show: _check_title,
    TmdbClaim: _check_claim,
}
