"""Hangouts as the house knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonroom.hangouts import (
    checks,
    data_export,
    notifications,
    search_documents,
    search_places,
    words,
)
from commonroom.hangouts.acquaintances import acquaintances
from commonroom.hangouts.attached import plan_with
from commonroom.hangouts.calendar import calendar_entries
from commonroom.hangouts.consumers import (
    accounts,
    agenda,
    announcements,
    answer_news,
    bring_list,
    carpool,
    ended_links,
    groups,
    hangouts,
    ideas,
    members,
    momentum,
    offers,
    poll_news,
    polls,
    resolved,
    rsvps,
    series,
)
from commonroom.hangouts.service.attachments import KEEPER
from commonroom.hangouts.service.invite_codes import signup_checks
from commonroom.hangouts.tables import GroupMembership, HangoutPerson, tables
from commonroom.http.words import lazy
from commonroom.joins.first_steps import FirstStep
from commonroom.joins.home import HomeSource
from commonroom.joins.new_things import NewThing
from commonroom.joins.rooms import Room, joined

if TYPE_CHECKING:
    from litestar import Router

    from commonroom.accounts.demo import DemoPeople
    from commonroom.joins.person_parts import PersonSource
    from commonroom.store import Store


def _routers() -> list[Router]:
    # Only a server needs them: commands start faster without.
    from commonroom.hangouts.api import hangouts_api
    from commonroom.hangouts.pages import hangouts_pages

    return [hangouts_api(), hangouts_pages()]


def _person_parts() -> PersonSource:
    from commonroom.hangouts.person_parts import person_parts

    return person_parts


def _home() -> HomeSource:
    from commonroom.hangouts.pages.home_cards import HOME

    return HOME


async def _is_used_by(store: Store, user_id: str) -> bool:
    person = await store.get(HangoutPerson.at(user_id=user_id))
    return person is not None and person.group_count > 0


async def _furnish(store: Store, now: float, people: DemoPeople) -> None:
    # Only the command that makes the demonstration needs it.
    from commonroom.hangouts.demo import seed_demo

    await seed_demo(store, now, people)


HANGOUTS = Room(
    key="hangouts",
    name=lazy("Hangouts"),
    sentence=lazy("Groups of friends turn an idea into a plan."),
    address="/hangouts",
    further_addresses=["/groups"],
    package="commonroom.hangouts",
    routers=_routers,
    flash_texts=words.FLASH_TEXTS,
    tables=tables,
    consumers=[
        hangouts.HANGOUTS,
        groups.GROUPS,
        members.MEMBERS,
        ideas.IDEAS,
        accounts.ACCOUNTS,
        announcements.ANNOUNCEMENTS,
        agenda.AGENDA,
        rsvps.ANSWERS,
        momentum.MOMENTUM,
        carpool.CARPOOL,
        offers.OFFERS,
        polls.POLLS,
        poll_news.POLL_NEWS,
        bring_list.BRING_LIST,
        series.SERIES,
        resolved.RESOLVED,
        answer_news.ANSWER_NEWS,
    ],
    timer_handlers=joined(
        "timer",
        [
            accounts.HANDLERS,
            agenda.HANDLERS,
            ended_links.HANDLERS,
            announcements.HANDLERS,
            polls.HANDLERS,
            poll_news.HANDLERS,
            series.HANDLERS,
            resolved.HANDLERS,
        ],
    ),
    notification_kinds=[*notifications.KINDS, *polls.KINDS],
    search_documents=search_documents.KINDS,
    search_audiences=[search_documents.GROUPS_OF_PERSON],
    search_places=search_places.PLACES,
    data_export={"hangouts": data_export.export_person},
    signup_invites=signup_checks,
    home=_home,
    calendar=calendar_entries,
    attachment_keeper=KEEPER,
    plan_form=plan_with,
    checks=checks.checks,
    checked_orphans=checks.ORPHANS,
    demo=_furnish,
    acquaintances=acquaintances,
    person_parts=_person_parts,
    owners={GroupMembership: lambda one: one.user_id},
    is_used_by=_is_used_by,
    first_step=FirstStep(
        "group",
        "/groups/new",
        "hangouts",
        lazy("Start a group"),
        lazy("The friends you do things with."),
    ),
    new_things=[
        NewThing(
            name=lazy("Hangout"),
            line=lazy("Plan something with friends."),
            icon="hangouts",
            address="/hangouts/new",
        )
    ],
)
