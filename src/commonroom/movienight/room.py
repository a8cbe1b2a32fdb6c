"""Movie night as the house knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonroom.accounts.tables import User
from commonroom.http.words import lazy
from commonroom.joins.first_steps import FirstStep
from commonroom.joins.new_things import NewThing
from commonroom.joins.rooms import Room
from commonroom.movienight import (
    checks,
    consumers,
    data_export,
    notifications,
    search,
    words,
)
from commonroom.movienight.acquaintances import acquaintances
from commonroom.movienight.calendar import calendar_entries
from commonroom.movienight.service import invites, members
from commonroom.movienight.tables import tables
from commonroom.movienight.watched_titles import WATCHED_TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litestar import Router

    from commonroom.accounts.demo import DemoPeople
    from commonroom.http.request import Request
    from commonroom.joins.attachments import AttachmentKind
    from commonroom.joins.film_sources import WishList
    from commonroom.joins.home import HomeSource
    from commonroom.joins.person_parts import PersonSource
    from commonroom.joins.title_marks import Marks
    from commonroom.joins.title_sections import TitleSection
    from commonroom.store import Store
    from commonroom.titles.titles import TitleFacts, TitleId


def _routers() -> list[Router]:
    # Only a server needs them: commands start faster without.
    from commonroom.movienight.api import movienight_api
    from commonroom.movienight.pages import movienight_pages

    return [movienight_api(), movienight_pages()]


def _home() -> HomeSource:
    from commonroom.movienight.pages.home_cards import HOME

    return HOME


def _title_sections() -> Sequence[TitleSection[Any]]:
    from commonroom.movienight.pages.title_sections import TITLE_SECTIONS

    return TITLE_SECTIONS


def _wish_list() -> WishList:
    from commonroom.movienight.pages.wish_hooks import WISH_LIST

    return WISH_LIST


async def _kept_title(request: Request, title: TitleId) -> TitleFacts | None:
    from commonroom.movienight.pages.title_sections import kept_title

    return await kept_title(request, title)


async def _is_used_by(store: Store, user_id: str) -> bool:
    person = await store.get(User.at(user_id=user_id))
    return person is not None and person.household_id is not None


def _person_parts() -> PersonSource:
    from commonroom.movienight.person_parts import person_parts

    return person_parts


async def _title_marks(request: Request, titles: Sequence[TitleFacts]) -> Marks:
    from commonroom.movienight.pages.title_marks import load_marks

    return await load_marks(request, titles)


def _attachments() -> Sequence[AttachmentKind]:
    from commonroom.movienight.attachments import ROUND

    return [ROUND]


async def _furnish(store: Store, now: float, people: DemoPeople) -> None:
    # Only the command that makes the demonstration needs it.
    from commonroom.movienight.demo import seed_demo

    await seed_demo(store, now, people)


MOVIENIGHT = Room(
    key="movienight",
    name=lazy("Movie night"),
    sentence=lazy("A household picks a film everybody will enjoy, and remembers how it went."),
    address="/movie-night",
    package="commonroom.movienight",
    routers=_routers,
    flash_texts=words.FLASH_TEXTS,
    tables=tables,
    consumers=[
        consumers.SEATS,
        consumers.HOUSEHOLDS,
        consumers.MEMBERS,
        consumers.ROUNDS,
    ],
    timer_handlers=consumers.HANDLERS,
    notification_kinds=notifications.KINDS,
    search_audiences=[search.HOUSEHOLD],
    search_places=search.PLACES,
    data_export={"movie_night": data_export.export_person},
    signup_invites=invites.signup_checks,
    demo=_furnish,
    checks=checks.checks,
    home=_home,
    owners={User: lambda one: one.user_id if one.household_id else None},
    is_used_by=_is_used_by,
    first_step=FirstStep(
        "household",
        "/movie-night",
        "movienight",
        lazy("Start a household"),
        lazy("The people you live with, to pick tonight’s film together."),
    ),
    new_things=[
        NewThing(
            name=lazy("Movie night"),
            line=lazy("Pick tonight’s film together."),
            icon="movienight",
            address="/movie-night/rounds/new",
            for_managed=True,
        )
    ],
    title_sections=_title_sections,
    title_marks=_title_marks,
    kept_title=_kept_title,
    wish_list=_wish_list,
    calendar=calendar_entries,
    attachments=_attachments,
    household=members.household_people,
    watched_titles=WATCHED_TITLES,
    acquaintances=acquaintances,
    person_parts=_person_parts,
)
