"""After an account or a title is gone: what people said of titles goes, and averages stay exact."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.store import Store, delete, equal, new
from commonroom.store.streams import Change, Consumer
from commonroom.titles.stored_titles import Stored, id_of
from commonroom.titles.tables import Movie, Show
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.access import retry
from commonroom.watchlists.service.ratings import load_opinion, removal, unrate
from commonroom.watchlists.service.titles import claim_deletes
from commonroom.watchlists.tables import (
    TitleRating,
    ratings_of_title,
    ratings_of_user,
    reviews_of_title,
    seen_of_user,
)


async def forget_person(store: Store, change: Change) -> None:
    """Removes the ratings, reviews and marks of a deleted account, one title at a time.

    An interrupted run goes on with what is left.
    """
    person: User | None = change.old
    if person is None or change.kind != "remove" or await store.get(person.ref) is not None:
        return
    async for rating in store.all(ratings_of_user(user_id=person.user_id)):
        await unrate(store, person.user_id, TitleId.of(rating))
    await store.delete_all(seen_of_user(user_id=person.user_id))


async def clear_title(store: Store, change: Change) -> None:
    """Removes what was said of a title that is on its way out, and then the title itself.

    Nobody can rate it any more. That a person has seen it stays true, whatever is known of it here.
    """
    title: Stored | None = change.new
    if title is None or title.removed_at is None or title.is_unused or title.merged_into:
        return
    of = id_of(title)
    now = await store.get(title.ref)
    if now is not None and now.removed_at != title.removed_at:
        return  # it is there again, with what people say of it now
    async for pointer in store.all(ratings_of_title(**of.key)):
        await _remove_rating(store, pointer)
    await store.delete_all(reviews_of_title(**of.key))
    gone = delete(title.ref, if_=new | equal(removed_at=title.removed_at))
    await store.write(gone, *claim_deletes(title))


@retry
async def _remove_rating(store: Store, pointer: TitleRating) -> None:
    title = TitleId.of(pointer)
    opinion = await load_opinion(store, pointer.user_id, title)
    if opinion.rating is None:
        await store.write(delete(pointer))
    else:
        await store.write(*removal(opinion.rating, opinion.seen, None))


ACCOUNTS = Consumer(name="watchlists-opinions", wants=(User,), handle=forget_person)
TITLES = Consumer(name="watchlists-removed-titles", wants=(Movie, Show), handle=clear_title)
