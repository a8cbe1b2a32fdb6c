"""What counts what in watchlists, what goes with what, and what is written in pairs.

What is odd stays by hand: the numbers that lists trend by, what titles say of their ratings, what
lists are found under, and collaborators, whom a list names. A save or a follow counts once both
sides know of it, so the checks of these pairs are by hand, too (`checks/lists.py`, `people.py`).
"""

from __future__ import annotations

from typing import TypeAlias

from commonroom.accounts.tables import User
from commonroom.store import children, counts, mirror
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.lists import MAX_ITEMS, MAX_LISTS
from commonroom.watchlists.tables import (
    BrowseEntry,
    Collaboration,
    Comment,
    CuratorEntry,
    EmailClaim,
    Follower,
    Following,
    ListFacets,
    ListUpdate,
    OwnedList,
    Profile,
    Rating,
    SavedWatchlist,
    Saver,
    TitleOnList,
    TitleRating,
    UserComment,
    UsernameClaim,
    Watchlist,
    WatchlistItem,
)

Claim: TypeAlias = UsernameClaim | EmailClaim


def owned_list_of(watchlist: Watchlist) -> OwnedList:
    """Returns the way from a person to a list of theirs."""
    return OwnedList(user_id=watchlist.curator_id, watchlist_id=watchlist.watchlist_id)


def title_on_list(item: WatchlistItem) -> TitleOnList:
    """Returns the way from the title to the list, which every item has."""
    return TitleOnList(**TitleId.of(item).key, watchlist_id=item.watchlist_id)


def user_comment_of(comment: Comment) -> UserComment:
    """Returns the way from its author to a comment."""
    return UserComment(
        user_id=comment.user_id,
        watchlist_id=comment.watchlist_id,
        commented_at=comment.created_at,
    )


def saver_of(saved: SavedWatchlist) -> Saver:
    """Returns the way from a list to the person who saved it."""
    return Saver(watchlist_id=saved.watchlist_id, user_id=saved.user_id, saved_at=saved.saved_at)


def follower_of(following: Following) -> Follower:
    """Returns the way from a curator to the person who follows them."""
    return Follower(
        curator_id=following.curator_id,
        user_id=following.user_id,
        followed_at=following.followed_at,
    )


def claims_of(profile: Profile) -> list[Claim]:
    """Returns what reserves a profile's name and address for it."""
    claims: list[Claim] = [UsernameClaim(username=profile.username, user_id=profile.user_id)]
    if profile.email is not None:
        claims.append(EmailClaim(address=profile.email, user_id=profile.user_id))
    return claims


def curator_entry_of(profile: Profile) -> CuratorEntry | None:
    """Returns what stands among the curators of a profile's status; None where it has none."""
    status, since = profile.curator_status, profile.curator_since
    if status is None or since is None:
        return None
    return CuratorEntry(status=status, since=since, user_id=profile.user_id)


PAIRS = (
    counts(
        Watchlist,
        on=Profile,
        field="list_count",
        refers={"user_id": "curator_id"},
        at_most=MAX_LISTS,
        refuse=f"You can have up to {MAX_LISTS} lists. Delete one first.",
    ),
    counts(
        Watchlist,
        on=Profile,
        field="public_list_count",
        refers={"user_id": "curator_id"},
        where=lambda it: it.is_public,
        depends_on=("is_public",),
    ),
    mirror(
        Watchlist,
        OwnedList,
        made=owned_list_of,
        made_of=("curator_id",),
        missing="It is missing from its owner’s lists.",
        stray="It leads to a list that was deleted.",
    ),
    counts(SavedWatchlist, on=Watchlist, field="save_count"),
    mirror(
        SavedWatchlist,
        Saver,
        made=saver_of,
        made_of=("saved_at",),
        missing="The list does not know that somebody follows it.",
        stray="Nobody knows that they follow this list.",
    ),
    counts(Following, on=Profile, field="follower_count", refers={"user_id": "curator_id"}),
    mirror(
        Following,
        Follower,
        made=follower_of,
        made_of=("followed_at",),
        missing="The curator does not know of this follower.",
        stray="It names somebody who does not follow.",
    ),
)
"""Their checks are by hand."""

ON_A_LIST = (
    counts(
        WatchlistItem,
        on=Watchlist,
        field="item_count",
        at_most=MAX_ITEMS,
        refuse=f"A list holds up to {MAX_ITEMS} titles.",
    ),
    mirror(
        WatchlistItem,
        TitleOnList,
        made=title_on_list,
        missing="“{title}” does not know that it is on the list.",
        stray="It leads to a list without this title.",
    ),
    counts(Comment, on=Watchlist, field="comment_count"),
    mirror(
        Comment,
        UserComment,
        made=user_comment_of,
        original=lambda it: Comment.at(
            watchlist_id=it.watchlist_id, created_at=it.commented_at, user_id=it.user_id
        ),
        missing="It would stay when its author leaves.",
        stray="It leads to a comment that was deleted.",
    ),
    children(WatchlistItem, on=Watchlist, lost="The list that “{title}” was on was deleted."),
    children(Comment, on=Watchlist, lost="The list that it is about was deleted."),
    children(Comment, on=User, lost="Whoever said it has no account any more."),
    children(
        OwnedList,
        on=Watchlist,
        lost="It leads to a list that was deleted.",
        check="pointers",
        known=lambda it, watchlist: it.user_id == watchlist.curator_id,
        known_by=("curator_id",),
        unknown="It leads to somebody else’s list.",
    ),
    children(
        Collaboration,
        on=Watchlist,
        lost="It leads to a list that was deleted.",
        check="collaborators",
        known=lambda it, watchlist: it.user_id in watchlist.collaborator_ids,
        known_by=("version",),
        unknown="It leads to a list that they do not collaborate on.",
    ),
    children(Saver, on=Watchlist, lost="The list that it follows was deleted.", check="savers"),
    # The count is of those who know that they follow, so it stays.
    children(
        Saver,
        on=SavedWatchlist,
        lost="Nobody knows that they follow this list.",
        check="savers",
    ),
    children(
        ListUpdate, on=Watchlist, lost="The list that it tells of was deleted.", check="updates"
    ),
)

OF_A_PROFILE = (
    children(
        (UsernameClaim, EmailClaim),
        on=Profile,
        lost="It is reserved for nobody.",
        check="claims",
        known=lambda it, profile: it.ref.key in [claim.ref.key for claim in claims_of(profile)],
        known_by=("username", "email"),
        unknown="It is reserved for a profile that does not have it.",
    ),
    children(
        CuratorEntry,
        on=Profile,
        lost="It names somebody without a profile.",
        check="curators",
        known=lambda it, profile: it == curator_entry_of(profile),
        known_by=("curator_status", "curator_since"),
        unknown="It names somebody of another status.",
    ),
    children(
        Follower,
        on=Following,
        lost="It names somebody who does not follow.",
        check="followers",
    ),
)

FOUND_BY = (
    children(
        BrowseEntry,
        on=ListFacets,
        lost="A list is found here that is not there.",
        check="facets",
        known=lambda it, kept: (
            it.listed_at == kept.listed_at and f"{it.facet}#{it.value}" in kept.facets
        ),
        known_by=("version",),
        unknown="A list is found here that does not belong here.",
    ),
)

OF_A_RATING = (
    children(TitleRating, on=Rating, lost="It points to a rating that is gone.", check="pointers"),
)

CHECKED = (*ON_A_LIST, *OF_A_PROFILE, *FOUND_BY, *OF_A_RATING)
RELATIONS = (*PAIRS, *CHECKED)
