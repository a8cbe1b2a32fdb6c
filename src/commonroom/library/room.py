"""The library as the house knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonroom.http.words import lazy
from commonroom.joins.first_steps import FirstStep
from commonroom.joins.new_things import NewThing
from commonroom.joins.rooms import Resources, Room, joined
from commonroom.library import checks, data_export, notifications, search_places, words
from commonroom.library.calendar import calendar_entries
from commonroom.library.consumers import imports, libraries, loans, news
from commonroom.library.tables import Library, owner_id_of, tables
from commonroom.library.tables import libraries as libraries_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litestar import Router

    from commonroom.accounts.demo import DemoPeople
    from commonroom.http.request import Request
    from commonroom.joins.bring_along import BringAlongSource
    from commonroom.joins.film_sources import FilmAvailability
    from commonroom.joins.home import HomeSource
    from commonroom.joins.person_parts import PersonSource
    from commonroom.joins.search_kinds import SearchSource
    from commonroom.joins.title_marks import Marks
    from commonroom.joins.title_sections import TitleSection
    from commonroom.outgoing.fetcher import Fetcher
    from commonroom.settings import Settings
    from commonroom.store import Store
    from commonroom.titles.titles import TitleFacts, TitleId


def _routers() -> list[Router]:
    # Only a server needs them: commands start faster without.
    from commonroom.library.api import library_api
    from commonroom.library.pages import library_pages

    return [library_api(), library_pages()]


def _resources(settings: Settings, fetcher: Fetcher) -> Resources:
    from commonroom.library.service.lookup import book_source

    return {"books": book_source(settings, fetcher)}


def _search_sources() -> list[SearchSource]:
    from commonroom.library.pages.search_source import SOURCE

    return [SOURCE]


def _title_sections() -> Sequence[TitleSection[Any]]:
    from commonroom.library.pages.title_sections import TITLE_SECTIONS

    return TITLE_SECTIONS


def _film_availability() -> FilmAvailability:
    from commonroom.library.pages.film_sources import FILM_AVAILABILITY

    return FILM_AVAILABILITY


async def _kept_title(request: Request, title: TitleId) -> TitleFacts | None:
    from commonroom.library.pages.title_sections import kept_title

    return await kept_title(request, title)


async def _is_used_by(store: Store, user_id: str) -> bool:
    return await store.first(libraries_of(owner_id=owner_id_of(user_id))) is not None


def _bring_along() -> BringAlongSource:
    from commonroom.library.bring_along import things_between

    return things_between


def _person_parts() -> PersonSource:
    from commonroom.library.person_parts import person_parts

    return person_parts


async def _title_marks(request: Request, titles: Sequence[TitleFacts]) -> Marks:
    from commonroom.library.pages.title_marks import load_marks

    return await load_marks(request, titles)


def _home() -> HomeSource:
    from commonroom.library.pages.home_cards import HOME

    return HOME


async def _furnish(store: Store, now: float, people: DemoPeople) -> None:
    # Only the command that makes the demonstration needs it.
    from commonroom.library.demo import seed_demo

    await seed_demo(store, now, people)


LIBRARY = Room(
    key="library",
    name=lazy("Library"),
    sentence=lazy("The books and films on our shelves: in collections, lent, returned, shared."),
    address="/library",
    package="commonroom.library",
    routers=_routers,
    resources=_resources,
    flash_texts=words.FLASH_TEXTS,
    picture_paths=["/library/covers/"],
    tables=tables,
    consumers=[
        libraries.COLLECTIONS,
        libraries.LIBRARIES,
        libraries.ACCOUNTS,
        imports.IMPORTS,
        loans.LOANS,
        news.LENT,
        news.SHARED,
    ],
    timer_handlers=joined("timer", [loans.HANDLERS, imports.HANDLERS]),
    notification_kinds=notifications.KINDS,
    search_places=search_places.PLACES,
    search_sources=_search_sources,
    calendar=calendar_entries,
    data_export={"library": data_export.export_person},
    checks=checks.checks,
    home=_home,
    checked_orphans=checks.ORPHANS,
    demo=_furnish,
    owners={Library: lambda one: one.account_id},
    is_used_by=_is_used_by,
    first_step=FirstStep(
        "shelf",
        "/library/add",
        "library",
        lazy("Put a book on your shelf"),
        lazy("See what you have, and who has it right now."),
    ),
    new_things=[
        NewThing(
            name=lazy("Book or film"),
            line=lazy("Add it to a library."),
            icon="library/book",
            address="/library/add",
        ),
        NewThing(
            name=lazy("Loan"),
            line=lazy("Lend it, and see who has it."),
            icon="library/hand",
            address="/library/lend",
        ),
    ],
    title_sections=_title_sections,
    title_marks=_title_marks,
    kept_title=_kept_title,
    bring_along=_bring_along,
    person_parts=_person_parts,
    film_availability=_film_availability,
)
