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
    stored,
    update,
)
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule
from commonroom.timers import timer
from commonroom.titles.stored_titles import Stored, title_ref
from commonroom.titles.tables import Movie, Show
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.trending import DAYS, day_of, days_until
from commonroom.watchlists.service import comments, items
from commonroom.watchlists.service.collaborators import end_collaboration
from commonroom.watchlists.service.copies import RESUME
from commonroom.watchlists.service.titles import copied_facts, same_title
from commonroom.watchlists.tables import (
    Collaboration,
    Comment,
    DaySaves,
    ListUpdate,
    OwnedList,
    Profile,
    SavedWatchlist,
    Saver,
    TitleOnList,
    UserComment,
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
    if there is None:
        gone = check(_list(one), if_=new)
        yield RelatedProblem(
            "pointers", "It leads to a list that was deleted.", [gone, delete(one)]
        )
    elif isinstance(there, Watchlist) and there.curator_id != one.user_id:
        same = check(there, if_=as_read(there, "curator_id"))
        yield RelatedProblem("pointers", "It leads to somebody else’s list.", [same, delete(one)])


async def _check_collaboration(
    one: Collaboration, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    there = found.at(_list(one))
    if there is None:
        gone = check(_list(one), if_=new)
        yield RelatedProblem(
            "collaborators", "It leads to a list that was deleted.", [gone, delete(one)]
        )
    elif isinstance(there, Watchlist) and one.user_id not in there.collaborator_ids:
        same = check(there, if_=as_read(there, "version"))
        detail = "It leads to a list that they do not collaborate on."
        yield RelatedProblem("collaborators", detail, [same, delete(one)])


def _item_refers(one: WatchlistItem) -> Iterator[Ref[Any]]:
    yield _list(one)
    yield items.pointer_of(one).ref
    yield title_ref(TitleId(one.content_type, one.content_id))


async def _check_item(one: WatchlistItem, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if found.at(_list(one)) is None:
        gone = check(_list(one), if_=new)
        detail = f"The list that “{one.title}” was on was deleted."
        yield RelatedProblem("orphans", detail, [gone, delete(one), delete(items.pointer_of(one))])
        return
    there = check(one, if_=stored)
    if found.at(items.pointer_of(one).ref) is None:
        detail = f"“{one.title}” does not know that it is on the list."
        yield RelatedProblem("pointers", detail, [there, create(items.pointer_of(one))])
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


def _title_pointer_refers(one: TitleOnList) -> Iterator[Ref[Any]]:
    yield _item(one)


async def _check_title_pointer(
    one: TitleOnList, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    if found.at(_item(one)) is None:
        gone = check(_item(one), if_=new)
        yield RelatedProblem(
            "pointers", "It leads to a list without this title.", [gone, delete(one)]
        )


def _comment_refers(one: Comment) -> Iterator[Ref[Any]]:
    yield _list(one)
    yield comments.pointer_of(one).ref
    yield User.at(user_id=one.user_id)


async def _check_comment(one: Comment, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    pointer = comments.pointer_of(one)
    if found.at(_list(one)) is None:
        gone = check(_list(one), if_=new)
        detail = "The list that it is about was deleted."
        yield RelatedProblem("orphans", detail, [gone, delete(one), delete(pointer)])
    elif found.at(User.at(user_id=one.user_id)) is None:
        gone = check(User.at(user_id=one.user_id), if_=new)
        detail = "Whoever said it has no account any more."
        yield RelatedProblem("orphans", detail, [gone, *comments.delete_writes(one)])
    elif found.at(pointer.ref) is None:
        there = check(one, if_=stored)
        detail = "It would stay when its author leaves."
        yield RelatedProblem("pointers", detail, [there, create(pointer)])


def _user_comment_refers(one: UserComment) -> Iterator[Ref[Any]]:
    yield _comment(one)


async def _check_user_comment(
    one: UserComment, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    if found.at(_comment(one)) is None:
        gone = check(_comment(one), if_=new)
        yield RelatedProblem(
            "pointers", "It leads to a comment that was deleted.", [gone, delete(one)]
        )


def _saved_refers(one: SavedWatchlist) -> Iterator[Ref[Any]]:
    yield _list(one)
    yield _day(one)
    yield Saver.at(watchlist_id=one.watchlist_id, user_id=one.user_id)
    yield User.at(user_id=one.user_id)


async def _check_saved(one: SavedWatchlist, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    saver, person = saver_of(one), User.at(user_id=one.user_id)
    there = isinstance(found.at(_list(one)), Watchlist)
    if found.at(person) is None:
        left = delete(one, if_=as_read(one, "saved_at"))
        known = there and found.at(saver.ref) is not None
        count = [update(_list(one), save_count=add(-1)), *_day_writes(one, found, -1)]
        count = count if known else []
        repair = [check(person, if_=new), left, delete(saver), *count]
        yield RelatedProblem("orphans", "Whoever follows it has no account any more.", repair)
    elif there and found.at(saver.ref) is None:
        repair = [
            check(one, if_=as_read(one, "saved_at")),
            create(saver),
            update(_list(one), save_count=add(1)),
            *_day_writes(one, found, 1),
        ]
        yield RelatedProblem("savers", "The list does not know that somebody follows it.", repair)


def saver_of(one: SavedWatchlist) -> Saver:
    """The way from a list to the person who saved it."""
    return Saver(watchlist_id=one.watchlist_id, user_id=one.user_id, saved_at=one.saved_at)


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
    yield _list(one)
    yield _saved(one)


async def _check_saver(one: Saver, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if found.at(_list(one)) is None:
        gone = check(_list(one), if_=new)
        yield RelatedProblem("savers", "The list that it follows was deleted.", [gone, delete(one)])
    elif found.at(_saved(one)) is None:
        # The count is of those who know that they follow, so it stays.
        gone = check(_saved(one), if_=new)
        yield RelatedProblem(
            "savers", "Nobody knows that they follow this list.", [gone, delete(one)]
        )


def _update_refers(one: ListUpdate) -> Iterator[Ref[Any]]:
    yield _list(one)


async def _check_update(one: ListUpdate, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if found.at(_list(one)) is None:
        gone = check(_list(one), if_=new)
        yield RelatedProblem(
            "updates", "The list that it tells of was deleted.", [gone, delete(one)]
        )


def _nothing(_one: Entity) -> Iterator[Ref[Any]]:
    yield from ()


async def _check_day(one: DaySaves, _found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    if one.day < days_until(time.time(), 2 * DAYS)[-1]:
        detail = "It counts for a day that counts no longer."
        yield RelatedProblem("trending", detail, [delete(one, if_=as_read(one, "saves"))])


def _list(
    one: OwnedList | Collaboration | WatchlistItem | Comment | SavedWatchlist | Saver | ListUpdate,
) -> Ref[Watchlist]:
    return Watchlist.at(watchlist_id=one.watchlist_id)


def _owned(one: Watchlist) -> Ref[OwnedList]:
    return owned_list_of(one).ref


def owned_list_of(one: Watchlist) -> OwnedList:
    """The way from a person to a list of theirs."""
    return OwnedList(user_id=one.curator_id, watchlist_id=one.watchlist_id)


def _item(one: TitleOnList) -> Ref[WatchlistItem]:
    return WatchlistItem.at(
        watchlist_id=one.watchlist_id, content_type=one.content_type, content_id=one.content_id
    )


def _comment(one: UserComment) -> Ref[Comment]:
    return Comment.at(
        watchlist_id=one.watchlist_id, created_at=one.commented_at, user_id=one.user_id
    )


def _saved(one: Saver) -> Ref[SavedWatchlist]:
    return SavedWatchlist.at(user_id=one.user_id, watchlist_id=one.watchlist_id)


RULES: dict[type[Entity], Rule] = {
    Watchlist: Rule(_list_refers, _check_list),
    OwnedList: Rule(_pointer_refers, _check_owned),
    Collaboration: Rule(_pointer_refers, _check_collaboration),
    WatchlistItem: Rule(_item_refers, _check_item),
    TitleOnList: Rule(_title_pointer_refers, _check_title_pointer),
    Comment: Rule(_comment_refers, _check_comment),
    UserComment: Rule(_user_comment_refers, _check_user_comment),
    SavedWatchlist: Rule(_saved_refers, _check_saved),
    Saver: Rule(_saver_refers, _check_saver),
    ListUpdate: Rule(_update_refers, _check_update),
    DaySaves: Rule(_nothing, _check_day),
}
