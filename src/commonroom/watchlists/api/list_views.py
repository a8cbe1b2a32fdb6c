"""Lists as programs see them: among others, and with everything on them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.http.projections import Through, projection
from commonroom.titles.titles import ContentType
from commonroom.watchlists import tables
from commonroom.watchlists.api.fields import Username
from commonroom.watchlists.service.list_views import ListView


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


class ListItem(PosterView, frozen=True):
    """A title on a list."""

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


def watchlist(one: tables.Watchlist) -> WatchlistView:
    """Returns a list’s card."""
    return msgspec.convert(one, WatchlistView, from_attributes=True)


def watchlists(lists: Sequence[tables.Watchlist]) -> list[WatchlistView]:
    """Many cards at once: all in one go."""
    return msgspec.convert(lists, list[WatchlistView], from_attributes=True)


def items(listed: Sequence[tables.WatchlistItem]) -> list[ListItem]:
    """Items in their order: all in one go."""
    return msgspec.convert(listed, list[ListItem], from_attributes=True)


person = projection(tables.Profile, PersonView)
watchlist_page = projection(
    ListView,
    WatchlistPage,
    watchlist=Through(watchlist),
    items=Through(items),
    is_saved=lambda one: one.saved is not None,
    collaborators=lambda one: [person(profile) for profile in one.collaborators],
    seen=lambda one: sorted(title.text for title in one.seen),
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
