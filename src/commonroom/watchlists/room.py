"""Watchlists as the house knows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from commonroom.http.words import lazy
from commonroom.joins.first_steps import FirstStep
from commonroom.joins.new_things import NewThing
from commonroom.joins.rooms import Room, joined
from commonroom.joins.watched_titles import WatchedFollower
from commonroom.watchlists import (
    checks,
    data_export,
    notifications,
    search_documents,
    search_places,
    words,
)
from commonroom.watchlists.acquaintances import acquaintances
from commonroom.watchlists.consumers import (
    accounts,
    announcements,
    imports,
    list_updates,
    lists,
    opinions,
    people,
    titles,
    trending,
)
from commonroom.watchlists.service.collaborators import signup_checks
from commonroom.watchlists.service.imports.data_export import export_import
from commonroom.watchlists.service.opinions_export import export_opinions
from commonroom.watchlists.service.seen import follow_evenings, missing_marks
from commonroom.watchlists.tables import (
    Collaboration,
    OwnedList,
    SavedWatchlist,
    collaborations,
    owned_lists,
    saved_watchlists,
    tables,
)

if TYPE_CHECKING:
    from litestar import Router

    from commonroom.accounts.demo import DemoPeople
    from commonroom.http.request import Request
    from commonroom.joins.attachments import AttachmentKind
    from commonroom.joins.film_sources import FilmSuggestions, ListMaker
    from commonroom.joins.home import HomeSource
    from commonroom.joins.person_parts import PersonSource
    from commonroom.joins.title_marks import Marks
    from commonroom.joins.title_sections import TitleSection
    from commonroom.store import Store
    from commonroom.titles.titles import TitleFacts


def _routers() -> list[Router]:
    # Only a server needs them: commands start faster without.
    from commonroom.watchlists.api import watchlists_api
    from commonroom.watchlists.pages import watchlists_pages

    return [watchlists_api(), watchlists_pages()]


def _film_suggestions() -> FilmSuggestions:
    from commonroom.watchlists.pages.film_sources import FILM_SUGGESTIONS

    return FILM_SUGGESTIONS


def _list_maker() -> ListMaker:
    from commonroom.watchlists.pages.film_sources import LIST_MAKER

    return LIST_MAKER


def _title_sections() -> Sequence[TitleSection[Any]]:
    from commonroom.watchlists.pages.title_sections import TITLE_SECTIONS

    return TITLE_SECTIONS


def _person_parts() -> PersonSource:
    from commonroom.watchlists.person_parts import person_parts

    return person_parts


async def _title_marks(request: Request, titles: Sequence[TitleFacts]) -> Marks:
    from commonroom.watchlists.pages.title_marks import load_marks

    return await load_marks(request, titles)


def _attachments() -> Sequence[AttachmentKind]:
    from commonroom.watchlists.attachments import WATCHLIST

    return [WATCHLIST]


def _home() -> HomeSource:
    from commonroom.watchlists.pages.home_cards import HOME

    return HOME


async def _is_used_by(store: Store, user_id: str) -> bool:
    for of_user in (owned_lists, collaborations, saved_watchlists):
        if await store.first(of_user(user_id=user_id)) is not None:
            return True
    return False


async def _furnish(store: Store, now: float, people: DemoPeople) -> None:
    # Only the command that makes the demonstration needs it.
    from commonroom.watchlists.demo import seed_demo

    await seed_demo(store, now, people)


WATCHLISTS = Room(
    key="watchlists",
    name=lazy("Watchlists"),
    sentence=lazy("Curated lists of films and shows: discover, follow, rate, discuss."),
    address="/watchlists",
    further_addresses=["/lists", "/curators"],
    for_guests=True,
    admin_pages={
        "/admin/curators": lazy("Curators"),
        "/admin/duplicates": lazy("Duplicates"),
    },
    package="commonroom.watchlists",
    routers=_routers,
    flash_texts=words.FLASH_TEXTS,
    title_sections=_title_sections,
    title_marks=_title_marks,
    attachments=_attachments,
    film_suggestions=_film_suggestions,
    list_maker=_list_maker,
    tables=tables,
    consumers=[
        lists.DESCRIBED,
        lists.DELETED,
        lists.COLLABORATORS,
        announcements.ANNOUNCEMENTS,
        list_updates.UPDATES,
        trending.SAVED,
        people.CURATOR_NEWS,
        people.COMMENTS,
        titles.TITLES,
        accounts.ACCOUNTS,
        opinions.ACCOUNTS,
        opinions.TITLES,
        imports.IMPORTS,
    ],
    timer_handlers=joined(
        "timer",
        [
            lists.HANDLERS,
            announcements.HANDLERS,
            list_updates.HANDLERS,
            trending.HANDLERS,
            titles.HANDLERS,
        ],
    ),
    title_timer_handlers=imports.handlers,
    notification_kinds=notifications.KINDS,
    search_places=search_places.PLACES,
    data_export={
        "watchlists": data_export.export_person,
        "opinions": export_opinions,
        "watchlists_import": export_import,
    },
    checks=checks.checks,
    home=_home,
    demo=_furnish,
    owners={
        OwnedList: lambda one: one.user_id,
        Collaboration: lambda one: one.user_id,
        SavedWatchlist: lambda one: one.user_id,
    },
    is_used_by=_is_used_by,
    first_step=FirstStep(
        "list",
        "/watchlists/new",
        "watchlists",
        lazy("Start a list"),
        lazy("Films and shows worth watching."),
    ),
    new_things=[
        NewThing(
            name=lazy("List"),
            line=lazy("Films and shows worth watching."),
            icon="watchlists/list",
            address="/watchlists/new",
        )
    ],
    signup_invites=signup_checks,
    watched_follower=WatchedFollower(follow=follow_evenings, missing=missing_marks),
    search_documents=[search_documents.LISTS, search_documents.CURATORS],
    acquaintances=acquaintances,
    person_parts=_person_parts,
)
