"""Lists and what leads to them: each has its pointers, and each pointer leads to something."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from commonroom.accounts.tables import User
from commonroom.moments import elapsed, iso, seconds
from commonroom.store import (
    Entity,
    Ref,
    Write,
    add,
    as_read,
    check,
    create,
    delete,
    new,
    put,
    remove,
    stored,
    update,
)
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule
from commonroom.timers import timer
from commonroom.titles.stored_titles import Stored, title_ref
from commonroom.titles.tables import Movie, Show
from commonroom.titles.titles import TitleId
from commonroom.watchlists.relations import owned_list_of, saver_of
from commonroom.watchlists.rules.trending import DAYS, day_of, days_until
from commonroom.watchlists.service.collaborators import end_collaboration
from commonroom.watchlists.service.copies import RESUME
from commonroom.watchlists.service.titles import copied_facts, same_title
from commonroom.watchlists.tables import (
    Collaboration,
    DaySaves,
    OwnedList,
    Profile,
    SavedWatchlist,
    Saver,
    Watchlist,
    WatchlistItem,
)

MAX_COPY = 3600
"""After how many seconds a copy that is not done counts as forgotten by its worker."""


def _list_refers(one: Watchlist) -> Iterator[Ref[Any]]:
    yield _owned(one)
    yield Profile.at(user_id=one.curator_id)
    for user_id in one.collaborator_ids:
        yield Collaboration.at(user_id=user_id, watchlist_id=one.watchlist_id)
        yield User.at(user_id=user_id)


async def _check_list(one: Watchlist, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    profile = found.at(Profile.at(user_id=one.curator_id))
    if found.at(_owned(one)) is None and isinstance(profile, Profile):
        # Who owns it never changes; whether it is public raises the version.
        counts: dict[str, Any] = {"list_count": add(1)}
        if one.is_public:
            counts["public_list_count"] = add(1)
        repair = [
            check(one, if_=as_read(one, "version")),
            create(owned_list_of(one)),
            update(profile.ref, **counts),
        ]
        yield RelatedProblem("pointers", "It is missing from its owner’s lists.", repair)
    for user_id in one.collaborator_ids:
        pointed = Collaboration.at(user_id=user_id, watchlist_id=one.watchlist_id)
        if found.at(pointed) is None:
            yield _uncollaborating(one, user_id, found)
    if one.is_being_copied and elapsed(seconds(one.begun_at or iso(0)), time.time()) > MAX_COPY:
        later = timer(RESUME, time.time(), {"watchlist_id": one.watchlist_id})
        same = check(one, if_=as_read(one, "is_being_copied"))
        yield RelatedProblem("copies", "It was copied, and not to the end.", [same, put(later)])


def _uncollaborating(one: Watchlist, user_id: str, found: RelatedItems) -> RelatedProblem:
    """Those who still have an account find the list again; for others it has ended."""
    person = found.at(User.at(user_id=user_id))
    if person is None:
        detail = "Somebody collaborates on it who has no account any more."
        return RelatedProblem("collaborators", detail, end_collaboration(one, user_id))
    joined = Collaboration(user_id=user_id, watchlist_id=one.watchlist_id, joined_at=one.updated_at)
    same = check(one, if_=as_read(one, "version"))
    there = check(User.at(user_id=user_id), if_=stored)
    detail = "Somebody collaborates on it, and it is missing from their lists."
    return RelatedProblem("collaborators", detail, [same, there, create(joined)])


def _pointer_refers(one: OwnedList | Collaboration) -> Iterator[Ref[Any]]:
    yield _list(one)


async def _check_owned(one: OwnedList, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    there = found.at(_list(one))
    if isinstance(there, Watchlist) and there.curator_id != one.user_id:
        same = check(there, if_=as_read(there, "curator_id"))
        yield RelatedProblem("pointers", "It leads to somebody else’s list.", [same, delete(one)])


async def _check_collaboration(
    one: Collaboration, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    there = found.at(_list(one))
    if isinstance(there, Watchlist) and one.user_id not in there.collaborator_ids:
        same = check(there, if_=as_read(there, "version"))
        detail = "It leads to a list that they do not collaborate on."
        yield RelatedProblem("collaborators", detail, [same, delete(one)])


def _item_refers(one: WatchlistItem) -> Iterator[Ref[Any]]:
    yield title_ref(TitleId(one.content_type, one.content_id))


async def _check_item(one: WatchlistItem, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    title = found.at(title_ref(TitleId(one.content_type, one.content_id)))
    if isinstance(title, Movie | Show) and _differs(one, title):
        repair = [
            same_title(title),
            update(one.ref, **copied_facts(title)),
            update(_list(one), revision=add(1)),
        ]
        yield RelatedProblem("titles", f"“{one.title}” has changed since it was added.", repair)
    elif title is None:
        # What a person chose is not thrown away: the title may still be to come.
        yield RelatedProblem("orphans", f"“{one.title}” is not in the catalogue any more.")


def _differs(one: WatchlistItem, title: Stored) -> bool:
    return any(getattr(one, name) != value for name, value in copied_facts(title).items())


def _saved_refers(one: SavedWatchlist) -> Iterator[Ref[Any]]:
    yield _list(one)
    yield _day(one)
    yield Saver.at(watchlist_id=one.watchlist_id, user_id=one.user_id)
    yield User.at(user_id=one.user_id)


async def _check_saved(one: SavedWatchlist, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    saver, person = saver_of(one), User.at(user_id=one.user_id)
    there = isinstance(found.at(_list(one)), Watchlist)
    if found.at(person) is None:
        known = there and found.at(saver.ref) is not None
        counted = [*remove(one), *_day_writes(one, found, -1)]
        left = [delete(one, if_=as_read(one, "saved_at")), delete(saver)]
        repair = [check(person, if_=new), *(counted if known else left)]
        yield RelatedProblem("orphans", "Whoever follows it has no account any more.", repair)
    elif there and found.at(saver.ref) is None:
        repair = [
            check(one, if_=as_read(one, "saved_at")),
            create(saver),
            update(_list(one), save_count=add(1)),
            *_day_writes(one, found, 1),
        ]
        yield RelatedProblem("savers", "The list does not know that somebody follows it.", repair)


def _day(one: SavedWatchlist) -> Ref[DaySaves]:
    return DaySaves.at(day=day_of(seconds(one.saved_at)), watchlist_id=one.watchlist_id)


def _day_writes(one: SavedWatchlist, found: RelatedItems, by: int) -> list[Write]:
    """What counts a person among those who followed a list on a day, or no longer."""
    day = day_of(seconds(one.saved_at))
    if day not in days_until(time.time()):
        return []
    if found.at(_day(one)) is not None:
        return [update(_day(one), saves=add(by))]
    return [create(DaySaves(day=day, watchlist_id=one.watchlist_id, saves=1))] if by > 0 else []


def _saver_refers(one: Saver) -> Iterator[Ref[Any]]:
    yield _saved(one)


async def _check_saver(one: Saver, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if found.at(_saved(one)) is None:
        # The count is of those who know that they follow, so it stays.
        gone = check(_saved(one), if_=new)
        yield RelatedProblem(
            "savers", "Nobody knows that they follow this list.", [gone, delete(one)]
        )


def _nothing(_one: Entity) -> Iterator[Ref[Any]]:
    yield from ()


async def _check_day(one: DaySaves, _found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if one.day < days_until(time.time(), 2 * DAYS)[-1]:
        detail = "It counts for a day that counts no longer."
        yield RelatedProblem("trending", detail, [delete(one, if_=as_read(one, "saves"))])


def _list(
    one: OwnedList | Collaboration | WatchlistItem | SavedWatchlist,
) -> Ref[Watchlist]:
    return Watchlist.at(watchlist_id=one.watchlist_id)


def _owned(one: Watchlist) -> Ref[OwnedList]:
    return owned_list_of(one).ref


def _saved(one: Saver) -> Ref[SavedWatchlist]:
    return SavedWatchlist.at(user_id=one.user_id, watchlist_id=one.watchlist_id)


RULES: dict[type[Entity], Rule] = {
    Watchlist: Rule(_list_refers, _check_list),
    OwnedList: Rule(_pointer_refers, _check_owned),
    Collaboration: Rule(_pointer_refers, _check_collaboration),
    WatchlistItem: Rule(_item_refers, _check_item),
    SavedWatchlist: Rule(_saved_refers, _check_saved),
    Saver: Rule(_saver_refers, _check_saver),
    DaySaves: Rule(_nothing, _check_day),
}
