"""What the forms' limits allow fits into an item, with room to spare, whatever is typed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict, replace

from commonroom.errors import InvalidField
from commonroom.shareables.rules import checklists, events, polls
from commonroom.shareables.rules.checklists import TypedChecklist, TypedChecklistItem
from commonroom.shareables.rules.events import TypedEvent
from commonroom.shareables.rules.limits import (
    MAX_NAME,
    MAX_PAGE,
    TICK_BYTES,
    answer_bytes,
    characters,
    page_bytes,
)
from commonroom.shareables.rules.polls import TypedPollPage, TypedPollPageOption, TypedQuestion
from commonroom.shareables.service.edit import Typed, fields_of, kind_of
from commonroom.shareables.service.gate import Page
from commonroom.shareables.tables import (
    AnswerNetwork,
    AnswerPointer,
    ChecklistTick,
    EventRsvp,
    Poll,
    PollAnswer,
    PollVote,
)
from commonroom.store.limits import ITEM_BYTES, item_size
from tests.shareables.furniture import BIRTHDAY, COMMON

WIDE = "\N{GRINNING FACE}"
"""Of the largest kind: four bytes."""
HASH = "$argon2id$v=19$m=65536,t=3,p=4$" + "x" * 80


def longest(number: int, note: int, room: int) -> list[TypedChecklistItem]:
    """So many items, with notes until there is no room for more."""
    items = []
    for _ in range(number):
        length = max(0, min(note, room))
        room -= length
        items.append(TypedChecklistItem(name=WIDE, note=WIDE * length or None))
    return items


def fullest() -> list[Typed]:
    """Pages that say as much as a form takes, all of it of the largest kind."""
    name = WIDE * MAX_NAME
    room = MAX_PAGE - MAX_NAME - checklists.MAX_NOTE
    items = longest(checklists.MAX_ITEMS, checklists.MAX_ITEM_NOTE, room - checklists.MAX_ITEMS)
    label = (room - polls.MAX_QUESTIONS * polls.MAX_TITLE) // (
        polls.MAX_QUESTIONS * polls.MAX_OPTIONS
    )
    options = [TypedPollPageOption(label=WIDE * label)] * polls.MAX_OPTIONS
    question = TypedQuestion(title=WIDE * polls.MAX_TITLE, options=options, is_multiple=True)
    return [
        TypedChecklist(name=name, note=WIDE * checklists.MAX_NOTE, items=items),
        replace(
            BIRTHDAY,
            name=name,
            location=WIDE * events.MAX_LOCATION,
            description=WIDE * events.MAX_DESCRIPTION,
        ),
        TypedPollPage(
            name=name,
            note=WIDE * polls.MAX_NOTE,
            questions=[question] * polls.MAX_QUESTIONS,
        ),
    ]


def stored(typed: Typed) -> Page:
    """A page with everything that it can come to hold."""
    page = kind_of(typed)(**COMMON, **fields_of(typed), created_by="x" * 36)
    versions = dict.fromkeys(asdict(page), 2**53)
    filled: dict[str, Any] = {
        **dict.fromkeys(("view_passcode", "admin_passcode"), HASH),
        "changed_in": versions,
        "updated_at": "2286-12-01T18:00:00.000Z",
    }
    if isinstance(page, Poll):
        filled["tally"] = dict.fromkeys(polls.option_ids(*page.questions), 123_456)
    return replace(page, **filled)


@pytest.mark.parametrize("typed", fullest(), ids=lambda one: type(one).__name__)
def test_the_fullest_page_takes_less_than_two_thirds_of_an_item(typed: Typed) -> None:
    page = stored(typed)
    if not isinstance(typed, TypedEvent):
        assert MAX_PAGE - 500 < characters(asdict(page)) <= MAX_PAGE
    assert item_size(page.to_item()) < page_bytes(asdict(page))
    assert item_size(page.to_item()) < ITEM_BYTES * 2 / 3


def test_ticks_and_answers_take_no_more_than_is_counted() -> None:
    name = WIDE * 60
    tick = ChecklistTick(
        short_id="abc-def-12345",
        checklist_item_id="x" * 36,
        ticked_at="2286-12-01T18:00:00.000Z",
        ticked_by=name,
        ttl=2**40,
    )
    assert item_size(tick.to_item()) < TICK_BYTES
    common: dict[str, Any] = {
        "short_id": "abc-def-12345",
        "code": "x" * 32,
        "created_at": "2286-12-01T18:00:00.000Z",
        "updated_at": "2286-12-01T18:00:00.000Z",
        "ttl": 2**40,
        "account_id": "x" * 36,
        "network": "x" * 12,
    }
    counter = AnswerNetwork(
        short_id="abc-def-12345", network="x" * 12, answer_count=2**40, ttl=2**40
    )
    pointer = AnswerPointer(
        account_id="x" * 36, short_id="abc-def-12345", page_kind="event", code="x" * 32
    )
    beside = max(item_size(one.to_item()) for one in (counter, pointer))
    rsvp = EventRsvp(**common, name=name, response="notGoing", guest_count=20)
    chosen = [
        PollAnswer(poll_question_id="x" * 36, option_ids=["x" * 36] * polls.MAX_OPTIONS)
    ] * polls.MAX_QUESTIONS
    vote = PollVote(**common, name=name, answers=chosen)
    for answer in (rsvp, vote):
        assert item_size(answer.to_item()) + beside < answer_bytes(answer)


def test_a_page_that_says_too_much_is_refused_with_what_to_do() -> None:
    typed = TypedChecklist(
        name="Long",
        items=[TypedChecklistItem(name="x" * 200, note="x" * 1000)] * checklists.MAX_ITEMS,
    )
    with pytest.raises(InvalidField) as refused:
        fields_of(typed)
    assert refused.value.field == "items"
    assert "40,000 characters in total, and this one has 240,004" in refused.value.detail
    assert "Shorten it" in refused.value.detail


def test_a_page_from_before_can_be_edited_as_long_as_it_grows_no_longer() -> None:
    items = [TypedChecklistItem(name=f"{number:04}", note="x" * 1000) for number in range(50)]
    typed = TypedChecklist(name="Long", items=items)
    page = kind_of(typed)(**COMMON, **checklists.checklist_fields(typed))
    fields_of(replace(typed, name="List"), page)
    with pytest.raises(InvalidField):
        fields_of(replace(typed, name="Longer"), page)
