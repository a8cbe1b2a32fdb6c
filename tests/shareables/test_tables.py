"""The tables of shareables are their data model's, in the form of its examples."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.shareables.tables import (
    AnswerNetwork,
    Checklist,
    ChecklistItem,
    ChecklistTick,
    Event,
    EventRsvp,
    Poll,
    PollAnswer,
    PollQuestion,
    PollQuestionOption,
    PollVote,
    shareable,
    shareables,
    tables,
)
from commonroom.shareables.tables.pool import PooledId, short_id_pool
from commonroom.store import Entity, Table
from tests.support.table_summaries import facts, key_attributes, stored_attributes

NOW = "2026-01-15T10:30:00.000Z"
UUID = "00000000-0000-0000-0000-000000000000"
COMMON: dict[str, Any] = {
    "short_id": "abc-def-12345",
    "name": "My shopping list",
    "expires_after": 7,
    "created_at": NOW,
    "updated_at": NOW,
    "expires_at": NOW,
    "ttl": 1,
}
LIST = Checklist(
    **COMMON,
    view_passcode="***",
    admin_passcode="***",
    view_passcode_version=1771415202059,
    admin_passcode_version=1771415202059,
    items=[ChecklistItem(checklist_item_id=UUID, name="Item 1", note="example")],
)
POLL = Poll(
    **COMMON,
    questions=[
        PollQuestion(
            poll_question_id="q",
            title="When?",
            options=[PollQuestionOption(poll_question_option_id="o", label="Now")],
        )
    ],
)
VOTE = PollVote(
    short_id="abc-def-12345",
    code="k7m4x9p2",
    answers=[PollAnswer(poll_question_id="q", option_ids=["o"])],
    created_at=NOW,
    updated_at=NOW,
    ttl=1,
)


@pytest.mark.parametrize(
    "table, expected",
    [
        (
            shareables,
            {"key": "pk S, sk S", "indexes": {}, "ttl": "ttl", "stream": True},
        ),
        (
            short_id_pool,
            {"key": "pk N, sk S", "indexes": {}, "ttl": None, "stream": False},
        ),
    ],
    ids=["Shareables", "ShortIdPool"],
)
def test_a_table_has_the_keys_of_the_model(table: Table, expected: dict[str, Any]) -> None:
    assert facts(table) == expected


def test_there_are_the_main_table_and_the_dedicated_one() -> None:
    assert [table.name for table in tables] == ["Shareables", "ShortIdPool"]


def test_the_kinds_are_the_models() -> None:
    assert shareables.discriminator == "entity"
    stated = {"checklist", "event", "poll", "event_rsvp", "poll_vote"}
    assert set(shareables.entities) == stated | {
        "answer_network",
        "answer_pointer",
        "checklist_tick",
        "guest_page",
        "guest_storage",
        "kept",
    }, "and what is beyond the data model"


@pytest.mark.parametrize("entity", [Checklist, Event, Poll])
def test_every_page_has_the_common_attributes_of_the_model(entity: type[Entity]) -> None:
    common = (
        "pk sk entity shortId name viewPasscode adminPasscode viewPasscodeVersion"
        " adminPasscodeVersion expiresAfter"
    )
    assert set(common.split()) <= stored_attributes(entity)


@pytest.mark.parametrize(
    "entity, attributes",
    [
        (Checklist, "note items"),
        (
            Event,
            "startTime endTime type location description isRsvpRequired rsvpDeadline"
            " rsvpVisibility",
        ),
        (EventRsvp, "pk sk shortId code name response guestCount"),
        (Poll, "note resultsVisibility closesAt questions isClosed"),
        (PollVote, "pk sk shortId name code answers createdAt updatedAt"),
        (PooledId, "pk sk id"),
    ],
)
def test_no_attribute_of_the_model_is_renamed_or_dropped(
    entity: type[Entity], attributes: str
) -> None:
    assert set(attributes.split()) <= stored_attributes(entity)


@pytest.mark.parametrize(
    "thing, keys",
    [
        (LIST, {"pk": "shareable#abcdef12345", "sk": "01#"}),
        (Event(**COMMON, start_time=NOW), {"pk": "shareable#abcdef12345", "sk": "01#"}),
        (POLL, {"pk": "shareable#abcdef12345", "sk": "01#"}),
        (
            EventRsvp(
                short_id="abc-def-12345",
                code="k7m4x9p2",
                name="Bo",
                response="notGoing",
                created_at=NOW,
                updated_at=NOW,
                ttl=1,
            ),
            {"pk": "event_rsvp#abcdef12345", "sk": "01#k7m4x9p2#"},
        ),
        (
            ChecklistTick(short_id="abc-def-12345", checklist_item_id=UUID, ticked_at=NOW, ttl=1),
            {"pk": "checklist_tick#abcdef12345", "sk": f"01#{UUID}#"},
        ),
        (VOTE, {"pk": "poll_vote#abcdef12345", "sk": "01#k7m4x9p2#"}),
        (PooledId(partition=99, slot=1, id="AAA-AAA-00000"), {"pk": 99, "sk": "available#01"}),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Entity) else "",
)
def test_keys_are_built_as_the_models_examples_have_them(
    thing: Entity, keys: dict[str, Any]
) -> None:
    assert key_attributes(thing) == keys


def test_the_models_example_record_is_stored_as_it_stands() -> None:
    item = LIST.to_item()
    example = {
        "pk": "shareable#abcdef12345",
        "sk": "01#",
        "entity": "checklist",
        "shortId": "abc-def-12345",
        "name": "My shopping list",
        "viewPasscode": "***",
        "adminPasscode": "***",
        "viewPasscodeVersion": 1771415202059,
        "adminPasscodeVersion": 1771415202059,
        "expiresAfter": 7,
        "items": [{"checklistItemId": UUID, "name": "Item 1", "note": "example"}],
    }
    assert {name: item[name] for name in example} == example


def test_questions_and_answers_have_the_models_names() -> None:
    assert POLL.to_item()["questions"] == [
        {
            "pollQuestionId": "q",
            "title": "When?",
            "isMultiple": False,
            "isRequired": False,
            "options": [{"pollQuestionOptionId": "o", "label": "Now"}],
        }
    ]
    assert VOTE.to_item()["answers"] == [{"pollQuestionId": "q", "optionIds": ["o"]}]


def test_an_item_without_a_note_has_none() -> None:
    bare = ChecklistItem(checklist_item_id=UUID, name="Item 1")
    item = Checklist(**COMMON, items=[bare]).to_item()
    assert item["items"] == [{"checklistItemId": UUID, "name": "Item 1"}]


@pytest.mark.parametrize("typed", ["ABC-DEF-12345", "abcdef12345", "abc def 12345"])
def test_a_short_id_is_found_however_it_is_typed(typed: str) -> None:
    assert shareable(short_id=typed).partition == "shareable#abcdef12345"


def test_answers_live_as_long_as_their_page() -> None:
    carried = {(copy.of, copy.on[0]) for copy in shareables.copies if "ttl" in copy.fields}
    assert carried == {
        (Checklist, ChecklistTick),
        (Event, EventRsvp),
        (Event, AnswerNetwork),
        (Poll, PollVote),
        (Poll, AnswerNetwork),
    }


def test_slots_of_the_pool_have_two_digits() -> None:
    last = PooledId(partition=999, slot=99, id="ZZZ-ZZZ-99999")
    assert key_attributes(last) == {"pk": 999, "sk": "available#99"}
