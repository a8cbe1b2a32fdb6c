"""Lists and what leads to them: each has its pointers, and each pointer leads to something."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
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
    Watchlist,
    WatchlistItem,
)

MAX_COPY = 3600
"""After how many seconds a copy that is not done counts as forgotten by its worker."""


async def _check_list(one: Watchlist, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    profile = await found.at(Profile.at(user_id=one.curator_id))
    if await found.at(_owned(one)) is None and isinstance(profile, Profile):
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
    at = {"watchlist_id": one.watchlist_id}
    pointed = [Collaboration.at(user_id=it, **at) for it in one.collaborator_ids]
    for missing in await found.missing(pointed):
        yield await _uncollaborating(one, missing.fields["user_id"], found)
    if one.is_being_copied and elapsed(seconds(one.begun_at or iso(0)), time.time()) > MAX_COPY:
        later = timer(RESUME, time.time(), {"watchlist_id": one.watchlist_id})
        same = check(one, if_=as_read(one, "is_being_copied"))
        yield RelatedProblem("copies", "It was copied, and not to the end.", [same, put(later)])


async def _uncollaborating(one: Watchlist, user_id: str, found: RelatedItems) -> RelatedProblem:
    """Those who still have an account find the list again; for others it has ended."""
    person = await found.at(User.at(user_id=user_id))
    if person is None:
        detail = "Somebody collaborates on it who has no account any more."
        return RelatedProblem("collaborators", detail, end_collaboration(one, user_id))
    joined = Collaboration(user_id=user_id, watchlist_id=one.watchlist_id, joined_at=one.updated_at)
    same = check(one, if_=as_read(one, "version"))
    there = check(User.at(user_id=user_id), if_=stored)
    detail = "Somebody collaborates on it, and it is missing from their lists."
    return RelatedProblem("collaborators", detail, [same, there, create(joined)])


async def _check_item(one: WatchlistItem, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    title = await found.at(title_ref(TitleId(one.content_type, one.content_id)))
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


async def _check_saved(one: SavedWatchlist, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    saver, person = saver_of(one), User.at(user_id=one.user_id)
    there = isinstance(await found.at(_list(one)), Watchlist)
    if await found.at(person) is None:
        known = there and await found.at(saver.ref) is not None
        counted = [*remove(one), *await _day_writes(one, found, -1)]
        left = [delete(one, if_=as_read(one, "saved_at")), delete(saver)]
        repair = [check(person, if_=new), *(counted if known else left)]
        yield RelatedProblem("orphans", "Whoever follows it has no account any more.", repair)
    elif there and await found.at(saver.ref) is None:
        repair = [
            check(one, if_=as_read(one, "saved_at")),
            create(saver),
            update(_list(one), save_count=add(1)),
            *await _day_writes(one, found, 1),
        ]
        yield RelatedProblem("savers", "The list does not know that somebody follows it.", repair)


def _day(one: SavedWatchlist) -> Ref[DaySaves]:
    return DaySaves.at(day=day_of(seconds(one.saved_at)), watchlist_id=one.watchlist_id)


async def _day_writes(one: SavedWatchlist, found: RelatedItems, by: int) -> list[Write]:
    """What counts a person among those who followed a list on a day, or no longer."""
    day = day_of(seconds(one.saved_at))
    if day not in days_until(time.time()):
        return []
    if await found.at(_day(one)) is not None:
        return [update(_day(one), saves=add(by))]
    return [create(DaySaves(day=day, watchlist_id=one.watchlist_id, saves=1))] if by > 0 else []


async def _check_day(one: DaySaves, _found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if one.day < days_until(time.time(), 2 * DAYS)[-1]:
        detail = "It counts for a day that counts no longer."
        yield RelatedProblem("trending", detail, [delete(one, if_=as_read(one, "saves"))])


def _list(one: WatchlistItem | SavedWatchlist) -> Ref[Watchlist]:
    return Watchlist.at(watchlist_id=one.watchlist_id)


def _owned(one: Watchlist) -> Ref[OwnedList]:
    return owned_list_of(one).ref


RULES: dict[type[Entity], Rule] = {
    Watchlist: _check_list,
    WatchlistItem: _check_item,
    SavedWatchlist: _check_saved,
    DaySaves: _check_day,
}
