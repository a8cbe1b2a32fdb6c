"""What the API shows of watchlists."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.titles.titles import ContentType
from commonroom.watchlists import tables
from commonroom.watchlists.rules.lists import title_key
from commonroom.watchlists.service.comments import AttributedComment
from commonroom.watchlists.service.list_views import ListView
from commonroom.watchlists.service.saves import FollowedList
from commonroom.watchlists.tables import CuratorStatus

Username: TypeAlias = Annotated[str, Meta(description="Unique, whatever its case.")]


class PosterView(Struct, frozen=True):
    """What a list’s card shows of a title."""

    content_type: ContentType
    content_id: str
    title: str
    year: int | None
    genres: list[str]
    poster_url: Annotated[str | None, Meta(description="Null where one is drawn.")]


class WatchlistView(Struct, frozen=True):
    """A list as its card shows it."""

    watchlist_id: str
    title: str
    description: str | None
    curator_name: Annotated[str | None, Meta(description="The owner’s username.")]
    curator_avatar_key: str | None
    curator_avatar_url: str | None
    is_public: bool
    is_numbered: bool
    tags: list[str]
    genres: Annotated[list[str], Meta(description="What most of its titles are.")]
    cover_title: Annotated[
        str | None, Meta(description="The title chosen for the cover: `MOVIE#603`.")
    ]
    cover_image_url: Annotated[
        str | None,
        Meta(description="The picture that its owner chose, or the poster of the cover title."),
    ]
    posters: Annotated[
        list[PosterView], Meta(description="Its first titles; the cover comes first.")
    ]
    item_count: int
    save_count: int
    comment_count: int
    created_at: Annotated[Moment, Meta(description="When others could first see it.")]
    updated_at: Moment


class ListItem(Struct, frozen=True):
    """A title on a list."""

    content_type: ContentType
    content_id: str
    title: str
    year: int | None
    genres: list[str]
    poster_url: Annotated[str | None, Meta(description="Null where one is drawn.")]
    runtime: Annotated[int | None, Meta(description="Of a film, in minutes.")]
    number_of_seasons: int | None
    curator_note: str | None
    added_at: Moment


class PersonView(Struct, frozen=True):
    """A person with a profile."""

    username: Username
    avatar_key: str | None


class WatchlistPage(Struct, frozen=True):
    """A list with everything on it, in order, and what it is to the caller."""

    watchlist: WatchlistView
    items: list[ListItem]
    is_owner: bool
    may_edit: Annotated[bool, Meta(description="Whether the caller may add, note and order.")]
    is_saved: bool
    follows_curator: bool
    new_count: Annotated[int, Meta(description="How much was added since a follower’s last visit.")]
    collaborators: Annotated[list[PersonView], Meta(description="Empty to those who may not edit.")]
    seen: Annotated[
        list[str], Meta(description="Which of its titles the caller has seen: `MOVIE#603`.")
    ]


class SavedWatchlistView(Struct, frozen=True):
    """A list that one follows."""

    watchlist_id: str
    title: Annotated[str, Meta(description="As it was last seen, where it is unavailable.")]
    saved_at: Moment
    watchlist: Annotated[
        WatchlistView | None, Meta(description="Null where it was deleted or made private.")
    ]
    new_count: int


class Link(Struct, frozen=True):
    """A link that was just made: nobody is shown its key again."""

    key: str
    path: Annotated[str, Meta(description="Where it leads on this server.")]


class ListInvitation(Struct, frozen=True):
    """What a link invites to."""

    watchlist_id: str
    title: str
    curator_name: str | None
    item_count: int


class CommentView(Struct, frozen=True):
    """A comment on a list."""

    comment_id: str
    author: PersonView | None
    text: str
    created_at: Moment
    may_delete: bool
    author_handle: Annotated[
        str | None, Meta(description="What `blockPerson` takes; null for guests and one’s own.")
    ]


class Curator(Struct, frozen=True):
    """A public profile."""

    username: Username
    bio: str | None
    avatar_key: str | None
    avatar_url: str | None
    is_curator: bool
    follower_count: int
    public_list_count: int
    created_at: Moment


class CuratorStep(Struct, frozen=True):
    """A step on the way to being a curator, or away from it."""

    to: CuratorStatus
    at: Moment
    reason: str | None


class ProfileView(Struct, frozen=True):
    """One’s own profile."""

    username: Username
    bio: str | None
    avatar_key: str | None
    avatar_url: str | None
    curator_status: Annotated[
        CuratorStatus | None, Meta(description="Null before one has applied.")
    ]
    motivation: str | None
    curator_moves: list[CuratorStep]
    follower_count: int
    list_count: int
    public_list_count: int
    created_at: Moment
    updated_at: Moment
    version: int


class Applicant(Struct, frozen=True):
    """The steps of a curator’s application, as an administrator sees them."""

    user_id: str
    username: Username
    bio: str | None
    curator_status: CuratorStatus | None
    curator_since: Moment | None
    motivation: str | None
    curator_moves: list[CuratorStep]
    public_list_count: int
    follower_count: int


def watchlist(one: tables.Watchlist) -> WatchlistView:
    """Returns a list’s card."""
    return msgspec.convert(one, WatchlistView, from_attributes=True)


def watchlists(lists: Sequence[tables.Watchlist]) -> list[WatchlistView]:
    """Many cards at once: all in one go."""
    return msgspec.convert(lists, list[WatchlistView], from_attributes=True)


def items(listed: Sequence[tables.WatchlistItem]) -> list[ListItem]:
    """Items in their order: all in one go."""
    return msgspec.convert(listed, list[ListItem], from_attributes=True)


def watchlist_page(view: ListView) -> WatchlistPage:
    """Returns a list with everything on it."""
    return WatchlistPage(
        watchlist=watchlist(view.watchlist),
        items=items(view.items),
        is_owner=view.is_owner,
        may_edit=view.may_edit,
        is_saved=view.saved is not None,
        follows_curator=view.follows_curator,
        new_count=view.new_count,
        collaborators=[person(one) for one in view.collaborators],
        seen=sorted(title_key(one.content_type, one.content_id) for one in view.seen),
    )


def list_tag(one: tables.Watchlist, *beside: object) -> str:
    """Returns an ETag of a list and what is on it, from what every change of it raises.

    Encoding a long list twice would take longer than reading it.
    """
    told = (
        one.watchlist_id, one.version, one.revision, one.updated_at, one.save_count,
        one.comment_count, one.posters, one.genres, *beside,
    )  # fmt: skip
    return f'"{blake2b(repr(told).encode(), digest_size=12).hexdigest()}"'


def page_tag(view: ListView) -> str:
    """Returns the ETag of a list as the caller sees it; to its owner, that of the list itself.

    What they have seen of it is then not in it, so that a change can name the tag.
    """
    if view.is_owner:
        return list_tag(view.watchlist)
    saved = None if view.saved is None else view.saved.seen_additions
    return list_tag(
        view.watchlist, saved, view.follows_curator, view.may_edit, sorted(map(repr, view.seen))
    )


def followed_list(one: FollowedList) -> SavedWatchlistView:
    """Returns a list that one follows."""
    return SavedWatchlistView(
        watchlist_id=one.saved.watchlist_id,
        title=one.title,
        saved_at=one.saved.saved_at,
        watchlist=None if one.watchlist is None else watchlist(one.watchlist),
        new_count=one.new_count,
    )


def person(one: tables.Profile) -> PersonView:
    """Returns a person by name."""
    return PersonView(one.username, one.avatar_key)


def comment(view: AttributedComment) -> CommentView:
    """Returns a comment as the caller sees it."""
    return CommentView(
        comment_id=view.id,
        author=None if view.author is None else person(view.author),
        text=view.comment.comment_text,
        created_at=view.comment.created_at,
        may_delete=view.may_delete,
        author_handle=view.author_handle,
    )


def curator(one: tables.Profile) -> Curator:
    """Returns a public profile."""
    return msgspec.convert(one, Curator, from_attributes=True)


def profile(one: tables.Profile) -> ProfileView:
    """One’s own profile."""
    return msgspec.convert(one, ProfileView, from_attributes=True)


def applicant(one: tables.Profile) -> Applicant:
    """Returns a person as an administrator sees them."""
    return msgspec.convert(one, Applicant, from_attributes=True)
