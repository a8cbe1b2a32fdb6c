"""Shareables as the house knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonroom.http.words import lazy
from commonroom.joins.new_things import NewThing
from commonroom.joins.rooms import Room, joined
from commonroom.shareables import (
    answer_news,
    checks,
    consumers,
    data_export,
    guess_news,
    notifications,
    search_documents,
    search_places,
    words,
)
from commonroom.shareables.tables import ShareableBookmark, kept_pages, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litestar import Router

    from commonroom.accounts.demo import DemoPeople
    from commonroom.joins.attachments import AttachmentKind
    from commonroom.store import Store


def _routers() -> list[Router]:
    # Only a server needs them: commands start faster without.
    from commonroom.shareables.api import shareables_api
    from commonroom.shareables.pages import shareables_pages

    return [shareables_api(), shareables_pages()]


def _new(name: str, line: str, kind: str) -> NewThing:
    return NewThing(
        name=name,
        line=line,
        icon=f"shareables/{kind}",
        address=f"/s/new/{kind}",
        for_guests=True,
        for_managed=True,
    )


def _attachments() -> Sequence[AttachmentKind]:
    from commonroom.shareables.attachments import SHAREABLE

    return [SHAREABLE]


async def _is_used_by(store: Store, user_id: str) -> bool:
    return await store.first(kept_pages(user_id=user_id)) is not None


async def _furnish(store: Store, now: float, people: DemoPeople) -> None:
    # Only the command that makes the demonstration needs it.
    from commonroom.shareables.demo import seed_demo

    await seed_demo(store, now, people)


SHAREABLES = Room(
    key="shareables",
    name=lazy("Shareables"),
    sentence=lazy("Checklists, events and polls that anyone can open, behind a short link."),
    address="/s",
    for_guests=True,
    admin_pages={"/admin/guests": lazy("Guests")},
    package="commonroom.shareables",
    routers=_routers,
    flash_texts=words.FLASH_TEXTS,
    tables=tables,
    consumers=[
        consumers.PAGES,
        consumers.PEOPLE,
        consumers.ANSWERS,
        answer_news.ANSWER_NEWS,
        answer_news.PAGE_NEWS,
    ],
    timer_handlers=joined("timer", [consumers.HANDLERS, answer_news.HANDLERS, guess_news.HANDLERS]),
    notification_kinds=notifications.KINDS,
    search_documents=search_documents.KINDS,
    search_places=search_places.PLACES,
    data_export={"shareables": data_export.export_person},
    checks=checks.checks,
    demo=_furnish,
    owners={ShareableBookmark: lambda one: one.user_id},
    is_used_by=_is_used_by,
    new_things=[
        _new(lazy("Checklist"), lazy("Shopping, packing, chores."), "checklist"),
        _new(lazy("Event"), lazy("When and where, and who is coming."), "event"),
        _new(lazy("Poll"), lazy("Ask, and see what most people want."), "poll"),
    ],
    attachments=_attachments,
)
