"""What public lists and curators give to other places: Atom feeds, and the pictures of links."""

from __future__ import annotations

from collections.abc import Iterable

from commonroom.http.access import Need
from commonroom.http.atom import AtomEntry, AtomFeed, feed_response
from commonroom.http.call_limits import CallLimit, count_call
from commonroom.http.forms import Pages
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.http.sharing import own_address
from commonroom.http.words import _, pluralize
from commonroom.rate_limits import Rate
from commonroom.titles.posters import drawing_of
from commonroom.titles.preview_pictures.rows_of_posters import MAX_POSTERS, PosterRow
from commonroom.titles.preview_pictures.serving import HOUR, picture_response
from commonroom.titles.titles import TitleId
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.service import discovery, profiles
from commonroom.watchlists.service.access import (
    ListContents,
    ListVisitor,
    readable_contents,
    readable_list,
)
from commonroom.watchlists.tables import Poster, Profile, Watchlist, WatchlistItem

FEEDS = CallLimit("watchlist-feeds", Rate(60, 30), Rate(120, 60))
"""A reader asks for each feed once an hour or so; a service that reads for many asks for all."""
MAX_ENTRIES = 50


pages = Pages()


@get(f"{addresses.LIST}/feed.atom", Need.ANYONE)
async def list_feed(request: Request, watchlist_id: str) -> Response[bytes | None]:
    """What was added to a public list, newest first: one request, one answer for everybody."""
    count_call(request, FEEDS)
    contents = await readable_contents(_anybody(request), watchlist_id)
    return feed_response(request, _feed_of_list(request, contents))


@get(f"{addresses.CURATOR}/feed.atom", Need.ANYONE)
async def curator_feed(request: Request, username: str) -> Response[bytes | None]:
    """A curator's public lists, newest first: four requests, one answer for everybody."""
    count_call(request, FEEDS)
    profile = await profiles.public_profile(_anybody(request), username)
    found = await discovery.browse(request.store, "curator", profile.user_id)
    return feed_response(request, _feed_of_curator(request, profile, found.items))


def _anybody(request: Request) -> ListVisitor:
    return ListVisitor(request.store, request.now)


def _feed_of_list(request: Request, contents: ListContents) -> AtomFeed:
    found = contents.watchlist
    newest = sorted(contents.items, key=lambda one: one.added_at, reverse=True)
    return AtomFeed(
        about=f"list/{found.watchlist_id}",
        title=found.title,
        subtitle=found.description,
        author=found.curator_name or "Commonroom",
        updated=found.updated_at,
        address=own_address(request, addresses.watchlist(found.watchlist_id)),
        own_address=own_address(request, addresses.list_feed(found.watchlist_id)),
        entries=[_added(request, found, one) for one in newest[:MAX_ENTRIES]],
    )


def _added(request: Request, found: Watchlist, item: WatchlistItem) -> AtomEntry:
    title = TitleId.of(item)
    return AtomEntry(
        # What is removed and added again is new again.
        about=f"list/{found.watchlist_id}/{title.address}/{item.added_at}",
        title=f"{item.title} ({item.year})" if item.year else item.title,
        address=own_address(request, title.address),
        updated=item.added_at,
        text=item.curator_note,
        tags=item.genres,
    )


def _feed_of_curator(request: Request, profile: Profile, lists: list[Watchlist]) -> AtomFeed:
    return AtomFeed(
        about=f"curator/{profile.user_id}",
        title=profile.username,
        subtitle=profile.bio,
        author=profile.username,
        updated=max([profile.created_at, *(one.updated_at for one in lists)]),
        address=own_address(request, addresses.curator(profile.username)),
        own_address=own_address(request, addresses.curator_feed(profile.username)),
        entries=[_published(request, one) for one in lists],
    )


def _published(request: Request, found: Watchlist) -> AtomEntry:
    return AtomEntry(
        about=f"list/{found.watchlist_id}",
        title=found.title,
        address=own_address(request, addresses.watchlist(found.watchlist_id)),
        updated=found.updated_at,
        published=found.created_at,
        text=found.description,
        tags=found.tags,
    )


@get(f"{addresses.LIST}/preview.png", Need.ANYONE)
async def list_preview(request: Request, watchlist_id: str) -> Response[bytes | None]:
    """A public list: what it is called, whose it is, and its first titles. One request."""
    found = await readable_list(_anybody(request), watchlist_id)
    by = [] if not found.curator_name else [_("by %(name)s") % {"name": found.curator_name}]
    facts = [*by, pluralize("%(n)d title", "%(n)d titles", found.item_count)]
    picture = _picture(found.title, facts, found.posters)
    return await picture_response(request, picture, kept_seconds=HOUR)


@get(f"{addresses.CURATOR}/preview.png", Need.ANYONE)
async def curator_preview(request: Request, username: str) -> Response[bytes | None]:
    """A curator: their name, and the first titles of their newest lists. Four requests."""
    profile = await profiles.public_profile(_anybody(request), username)
    found = await discovery.browse(request.store, "curator", profile.user_id, limit=MAX_POSTERS)
    posters = [one.posters[0] for one in found.items if one.posters]
    facts = [pluralize("%(n)d list", "%(n)d lists", profile.public_list_count)]
    picture = _picture(profile.username, facts, posters)
    return await picture_response(request, picture, kept_seconds=HOUR)


def _picture(title: str, facts: list[str], posters: Iterable[Poster]) -> PosterRow:
    drawings = [drawing_of(one.title, one.content_type) for one in posters]
    return PosterRow(title, " · ".join(facts), tuple(dict.fromkeys(drawings)))


pages.include(list_feed, curator_feed, list_preview, curator_preview)
