"""Claims, codes and ways back stand beside adopted items before anything is checked."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import AddressClaim, User, users
from commonroom.adoption.companions import add_companions
from commonroom.store import Store, put
from commonroom.titles.tables import worth_watch
from commonroom.watchlists.tables import (
    Rating,
    SavedWatchlist,
    Saver,
    Seen,
    TitleRating,
    TitleReview,
)

AT = "2026-01-20T14:00:00.000Z"
ADA = User(user_id="ada", email="Ada@example.org", display_name="Ada", created_at=AT)
FILM: dict[str, Any] = {"user_id": "ada", "content_type": "MOVIE", "content_id": "m"}
CLAIM = AddressClaim.at(address="ada@example.org")


async def test_each_item_gets_its_own_once(store: Store) -> None:
    await store.write(put(ADA))
    await store.write(put(SavedWatchlist(user_id="ada", watchlist_id="w", saved_at=AT)))
    assert await add_companions(store, [users, worth_watch]) == 2
    claim = await store.get(CLAIM)
    assert claim is not None
    assert claim.user_id == "ada"
    assert await store.get(Saver.at(watchlist_id="w", user_id="ada")) is not None
    assert await add_companions(store, [users, worth_watch]) == 0


async def test_a_rating_is_pointed_to_shown_and_marked_as_seen(store: Store) -> None:
    await store.write(put(Rating(**FILM, rating=8, review="Good.", rated_at=AT)))
    assert await add_companions(store, [worth_watch]) == 3
    assert await store.get(TitleRating.at(**FILM)) == TitleRating(**FILM, rating=8)
    shown = TitleReview(**FILM, rated_at=AT, rating=8, review="Good.")
    assert await store.get(shown.ref) == shown
    assert await store.get(Seen.at(**FILM)) == Seen(**FILM, marked_at=AT, own="rating")


async def test_what_is_there_already_stays(store: Store) -> None:
    theirs = AddressClaim(address="ada@example.org", user_id="bo", made_at=AT)
    for one in (ADA, theirs):
        await store.write(put(one))
    assert await add_companions(store, [users]) == 0
    assert await store.get(CLAIM) == theirs


async def test_of_two_with_the_same_address_one_gets_it(store: Store) -> None:
    for user_id in ("ada", "bo"):
        await store.write(
            put(User(user_id=user_id, email=ADA.email, display_name="A", created_at=AT))
        )
    assert await add_companions(store, [users]) == 1
