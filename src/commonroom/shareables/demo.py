"""Pages for the demonstration: a shopping list, a birthday, and a poll for the summer."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from commonroom.accounts.demo import DemoPeople
from commonroom.moments import iso
from commonroom.shareables.rules.checklists import TypedChecklist, TypedChecklistItem
from commonroom.shareables.rules.events import Response, TypedEvent, TypedEventRsvp
from commonroom.shareables.rules.polls import (
    TypedPollPage,
    TypedPollPageOption,
    TypedQuestion,
    TypedVote,
)
from commonroom.shareables.service import checklists, events, polls
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.service.gate import P, PageAccess, ShareableVisitor, of_kind, open_page
from commonroom.shareables.service.passes import Passes
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.store import Store

HOUR, DAY = 3600.0, 24 * 3600.0

SHOPPING = TypedChecklist(
    name="Saturday’s shopping",
    note="Whoever goes first takes the big bag.",
    items=[
        TypedChecklistItem(name="Bread", note="the dark one with seeds"),
        TypedChecklistItem(name="Oat milk"),
        TypedChecklistItem(name="Tomatoes"),
        TypedChecklistItem(name="Coffee", note="beans, not ground"),
        TypedChecklistItem(name="Something sweet for the film"),
    ],
    ticks_shared=True,
)
SUMMER = TypedPollPage(
    name="Where do we go in summer?",
    questions=[
        TypedQuestion(
            title="Sea or mountains?",
            is_required=True,
            options=[
                TypedPollPageOption(label="The sea"),
                TypedPollPageOption(label="The mountains"),
                TypedPollPageOption(label="A lake between them"),
            ],
        ),
        TypedQuestion(
            title="Which weeks suit you?",
            is_multiple=True,
            options=[
                TypedPollPageOption(label="The last of July"),
                TypedPollPageOption(label="The first of August"),
                TypedPollPageOption(label="The second of August"),
            ],
        ),
    ],
)
GUESTS: Sequence[tuple[str, Response, int]] = (
    ("Inès", "going", 1),
    ("Tom", "maybe", 0),
    ("Grandma Ruth", "going", 0),
    ("Uncle Karl", "notGoing", 0),
)
VOTES: Sequence[tuple[str, int, tuple[int, ...]]] = (
    ("Maya", 0, (0, 1)),
    ("Jonas", 1, (1,)),
    ("Lea", 0, (0, 1, 2)),
    ("Finn", 0, ()),
    ("Tom", 2, (2,)),
)


async def seed_demo(store: Store, now: float, people: DemoPeople) -> None:
    """Makes Maya's pages, and lets others use them."""
    creator = people.maya.user_id
    # The creator comes in by account, so nobody needs the pass that this key seals.
    visitor = ShareableVisitor(store, Passes(bytes(32)), now, account_id=creator)
    await _shop(await _create(visitor, SHOPPING, Checklist))
    await _celebrate(await _create(visitor, _birthday(now), Event))
    await _vote(await _create(visitor, SUMMER, Poll))


def _birthday(now: float) -> TypedEvent:
    starts = now - now % DAY + 10 * DAY + 14 * HOUR
    return TypedEvent(
        name="Lea’s birthday",
        start_time=iso(starts),
        end_time=iso(starts + 4 * HOUR),
        location="The garden, Chestnut Road",
        description="Games, cake and a **treasure hunt**. Bring boots if it rains.",
        is_rsvp_required=True,
        rsvp_deadline=iso(starts - 2 * DAY),
        time_zone="Europe/Paris",
    )


async def _create(visitor: ShareableVisitor, typed: Typed, kind: type[P]) -> PageAccess[P]:
    created = await create_page(visitor, typed, expires_after=30)
    # Those who answer here are guests.
    guest = replace(visitor, account_id=None)
    return of_kind(await open_page(guest, created.page.short_id, want="view"), kind)


async def _shop(gate: PageAccess[Checklist]) -> None:
    for item, by in zip(gate.page.items[:2], ("Jonas", "Lea"), strict=True):
        await checklists.tick(gate, item.checklist_item_id, by)


async def _celebrate(gate: PageAccess[Event]) -> None:
    for name, response, guests in GUESTS:
        typed = TypedEventRsvp(name=name, response=response, guest_count=guests)
        await events.answer(gate, typed)


async def _vote(gate: PageAccess[Poll]) -> None:
    place, weeks = gate.page.questions
    for name, where, when in VOTES:
        answers = {
            place.poll_question_id: [place.options[where].poll_question_option_id],
            weeks.poll_question_id: [weeks.options[one].poll_question_option_id for one in when],
        }
        await polls.vote(gate, TypedVote(name=name, answers=answers))
