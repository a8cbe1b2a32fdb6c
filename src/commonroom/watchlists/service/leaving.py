"""Leaving: what a person leaves in the room goes with them; what others see stays right."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notifications.notifications import remove_name
from commonroom.store import (
    Entity,
    Store,
    Write,
    delete,
    equal,
    new,
    remove,
    update,
)
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.titles.stored_titles import Stored, title_ref
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service import lists
from commonroom.watchlists.service.access import retry
from commonroom.watchlists.service.collaborators import end_collaboration
from commonroom.watchlists.service.curators import entry_deletes
from commonroom.watchlists.service.follows import end_follow
from commonroom.watchlists.service.saves import end_save
from commonroom.watchlists.tables import (
    Collaboration,
    Comment,
    EmailClaim,
    Follower,
    Following,
    OwnedList,
    OwnTitle,
    Profile,
    SavedWatchlist,
    UserComment,
    UsernameClaim,
    Watchlist,
    WatchlistImport,
    collaborations,
    comments_of_user,
    followers,
    following,
    lists_with_title,
    own_titles,
    owned_lists,
    saved_watchlists,
)

E = TypeVar("E", bound=Entity)


async def clear_person(store: Store, at: float, person: User) -> None:
    """Takes a person out of the room; each step can be done again, and the profile goes last."""
    me = person.user_id
    profile = await store.get(Profile.at(user_id=me))
    await _each(store.all(owned_lists(user_id=me)), lambda one: _delete_list(store, one))
    await _each(store.all(collaborations(user_id=me)), lambda one: _end_work(store, one))
    await _each(store.all(saved_watchlists(user_id=me)), lambda one: _unfollow_list(store, at, one))
    await _each(store.all(following(user_id=me)), lambda one: _unfollow_curator(store, one))
    await _each(store.all(own_titles(user_id=me)), lambda one: _remove_title(store, at, one))
    await store.write(delete(WatchlistImport.at(account_id=me)))
    told = await _clear_comments(store, me)
    told |= await _clear_followers(store, me)
    if profile is not None:
        await remove_name(store, told, profile.username)
        await store.write(*_profile_deletes(profile))


async def _each(found: AsyncIterator[E], work: Callable[[E], Awaitable[None]]) -> None:
    async for one in found:
        await work(one)


@retry
async def _delete_list(store: Store, pointer: OwnedList) -> None:
    found = await store.get(Watchlist.at(watchlist_id=pointer.watchlist_id))
    profile = await store.get(Profile.at(user_id=pointer.user_id))
    if found is None:
        await store.write(delete(pointer))
    elif profile is None:
        await store.write(delete(found), delete(pointer))
    else:
        await store.write(*lists.delete_writes(found))


@retry
async def _end_work(store: Store, pointer: Collaboration) -> None:
    found = await store.get(Watchlist.at(watchlist_id=pointer.watchlist_id))
    if found is None or pointer.user_id not in found.collaborator_ids:
        await store.write(delete(pointer))
    else:
        await store.write(*end_collaboration(found, pointer.user_id))


@retry
async def _unfollow_list(store: Store, at: float, saved: SavedWatchlist) -> None:
    current = await store.get(saved.ref)
    if current is not None:
        await end_save(store, at, current)


@retry
async def _unfollow_curator(store: Store, there: Following) -> None:
    current = await store.get(there.ref)
    if current is not None:
        await end_follow(store, current)


@retry
async def _remove_title(store: Store, at: float, own: OwnTitle) -> None:
    """Removes a title that only a person's file tells of, unless others have it by now."""
    of = TitleId.of(own)

    title: Stored | None = await store.get(title_ref(of))
    if title is None or not title.is_unlisted or await _others_hold(store, own):
        await store.write(delete(own))
    else:
        gone = update(title.ref, removed_at=iso(at), if_=equal(is_unlisted=True))
        await store.write(gone, delete(own))


async def _others_hold(store: Store, own: OwnTitle) -> bool:
    async for pointer in store.all(lists_with_title(**TitleId.of(own).key)):
        found = await store.get(Watchlist.at(watchlist_id=pointer.watchlist_id))
        if found is not None and found.curator_id != own.user_id:
            return True
    return False


async def _clear_comments(store: Store, user_id: str) -> set[str]:
    """Deletes a person's comments; returns who was told of them."""
    told: set[str] = set()
    async for pointer in store.all(comments_of_user(user_id=user_id)):
        owner = await _clear_comment(store, pointer)
        told |= {owner} if owner else set()
    return told


@retry
async def _clear_comment(store: Store, pointer: UserComment) -> str | None:
    found = await store.get(Watchlist.at(watchlist_id=pointer.watchlist_id))
    comment = await store.get(
        Comment.at(
            watchlist_id=pointer.watchlist_id,
            created_at=pointer.commented_at,
            user_id=pointer.user_id,
        )
    )
    if comment is None or found is None:
        await store.write(delete(pointer), *([delete(comment)] if comment else []))
    else:
        await store.write(*remove(comment))
    return None if found is None else found.curator_id


async def _clear_followers(store: Store, user_id: str) -> set[str]:
    """Ends that others follow a person; returns who they were."""
    told: set[str] = set()
    writes: list[Write] = []
    async for one in store.all(followers(curator_id=user_id)):
        told.add(one.user_id)
        both_sides = [delete(one), delete(_other_side(one))]
        if len(writes) + len(both_sides) > REQUEST_OPERATIONS:
            await store.write(*writes)
            writes.clear()
        writes += both_sides
    if writes:
        await store.write(*writes)
    return told


def _other_side(one: Follower) -> Following:
    return Following(user_id=one.user_id, curator_id=one.curator_id, followed_at=one.followed_at)


def _profile_deletes(profile: Profile) -> list[Write]:
    """Returns the profile and its claims, but not those that are another person's by now."""
    mine = new | equal(user_id=profile.user_id)
    writes = [
        delete(profile),
        delete(UsernameClaim.at(username=profile.username), if_=mine),
    ]
    if profile.email is not None:
        writes.append(delete(EmailClaim.at(address=profile.email), if_=mine))
    return [*writes, *entry_deletes(profile)]
