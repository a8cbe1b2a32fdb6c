"""Rows of a form: whatever is pressed and whoever else saves, nothing that was typed is lost."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import BadRequest, InvalidField, InvalidFields
from commonroom.shareables.pages.drafts import DRAFTS, Draft
from commonroom.shareables.pages.drafts.checklists import ChecklistDraft
from commonroom.shareables.pages.drafts.draft import (
    DraftRow,
    Question,
    Sheet,
    arrange,
    compare,
    compared,
    filled,
    refused,
    with_room,
)
from commonroom.shareables.pages.drafts.events import EventDraft
from commonroom.shareables.pages.drafts.polls import PollDraft
from commonroom.shareables.rules.checklists import (
    TypedChecklist,
    TypedChecklistItem,
    checklist_fields,
)
from commonroom.shareables.rules.events import TypedEvent, event_fields
from commonroom.shareables.rules.polls import (
    TypedPollPage,
    TypedPollPageOption,
    TypedQuestion,
    poll_fields,
)
from commonroom.shareables.service.edit import fields_of
from commonroom.shareables.tables import Checklist, Event, Kind, Poll
from tests.shareables.furniture import COMMON

NOW = 1_800_000_000.0
TEXTS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8)
IDS = st.lists(st.sampled_from("123456789"), unique=True, max_size=9)


def rows(texts: list[str]) -> list[DraftRow]:
    """A row for each text."""
    return [DraftRow(text=text) for text in texts]


def texts(of: list[DraftRow]) -> list[str]:
    """What stands in rows."""
    return [one.text for one in of]


@given(TEXTS, st.integers(0, 7), st.sampled_from(["up", "down"]))
def test_moving_a_row_moves_one_row_by_one_place(typed: list[str], place: int, way: str) -> None:
    place %= len(typed)
    there = rows(typed)
    moved = there[place]
    arrange(there, place, "up" if way == "up" else "down", DraftRow)
    wanted = place - 1 if way == "up" else place + 1
    assert there[min(max(wanted, 0), len(typed) - 1)] is moved
    assert moved.has_focus
    assert texts([one for one in there if one is not moved]) == typed[:place] + typed[place + 1 :]


@given(TEXTS, st.integers(0, 7))
def test_removing_a_row_leaves_the_others_as_they_were(typed: list[str], place: int) -> None:
    place %= len(typed)
    there = rows(typed)
    arrange(there, place, "remove", DraftRow)
    assert texts(there) == typed[:place] + typed[place + 1 :]
    assert sum(one.has_focus for one in there) == min(1, len(there))


@given(TEXTS, st.integers(1, 6), st.integers(6, 9))
def test_there_is_room_to_go_on(typed: list[str], least: int, most: int) -> None:
    shown = with_room(rows(typed), DraftRow, least=least, most=most)
    assert texts(shown)[: len(typed)] == typed
    assert len(shown) >= least
    assert shown[-1].is_blank or len(shown) >= most


@given(IDS, IDS, IDS)
def test_whatever_others_saved_meanwhile_nothing_is_lost(
    seen: list[str], kept: list[str], theirs: list[str]
) -> None:
    # I began with what was seen, took some away and typed something new; they saved what they did.
    mine = [DraftRow(id=id_, text=f"mine {id_}") for id_ in kept if id_ in seen] + [
        DraftRow(text="new")
    ]
    before = Counter(texts(mine))
    there = [DraftRow(id=id_, text=f"theirs {id_}") for id_ in theirs]
    compare(mine, there, set(seen))
    added = Counter(f"theirs {id_}" for id_ in theirs if id_ not in seen)
    assert Counter(texts(mine)) == before + added
    ids = [one.id for one in mine if one.id]
    assert set(ids) <= set(theirs)
    assert len(set(ids)) == len(ids)
    assert all(one.now for one in mine if one.id and one.meanwhile is None)


def test_rows_with_nothing_in_them_are_left_out() -> None:
    assert texts(
        filled([DraftRow(), DraftRow(text=" "), DraftRow(note="a note"), DraftRow(text="a")])
    ) == ["", "a"]


NAMES = st.sampled_from(
    [
        *("name", "note", "version", "seen", "confirm", "expires_after", "view_passcode"),
        *("item_id", "item", "item_note", "item_do", "do", "pasted", "ticks_shared"),
        *("question_id", "title", "is_multiple", "is_required", "question_do", "options_do"),
        *("option_id", "option", "option_do", "closes_at", "time_zone", "results_visibility"),
        *("start_time", "end_time", "type", "location", "rsvp_visibility", "is_rsvp_required"),
    ]
)
VALUES = st.text(max_size=5) | st.sampled_from(
    [
        *("up", "down", "remove", "more", "true", "7", "always", "everyone"),
        *("2026-05-31T18:00", "0001-01-01T00:00", "9999-12-31T23:59", "UTC", "Asia/Tokyo"),
    ]
)
SHEETS = st.lists(st.tuples(NAMES, VALUES), max_size=12)


def rest_of(draft: Draft) -> list[str]:
    """All that stands in the rows of a draft."""
    found = [text for row in draft.rows for text in (row.text, row.note)]
    if isinstance(draft, PollDraft):
        found += [option.text for question in draft.questions for option in question.options]
    return found


@given(st.sampled_from(sorted(DRAFTS)), SHEETS)
def test_any_sheet_is_read_or_refused(kind: Kind, sheet: Sheet) -> None:
    try:
        draft: Draft = DRAFTS[kind].read(sheet)
    except BadRequest:
        return
    with suppress(InvalidField, InvalidFields):
        fields_of(draft.typed(NOW))
    wrong = refused(draft, InvalidField("passcode", "A passcode has 4 to 64 characters."))
    assert wrong.field in ("view_passcode", "admin_passcode")
    assert rest_of(compared(wrong, wrong, ("name",)))[: len(rest_of(draft))] == rest_of(draft)


@pytest.mark.parametrize("draft", [ChecklistDraft, PollDraft])
def test_a_button_for_more_needs_no_row(draft: type[ChecklistDraft] | type[PollDraft]) -> None:
    read = draft.read([("do", "remove")])
    assert read.is_rearranged
    assert len(read.rows) == 1


# The texts that a page can hold: on one line, and without what cannot be shown.
WORDS = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=9
)


ITEMS = st.lists(
    st.builds(TypedChecklistItem, name=WORDS, note=st.none() | WORDS), min_size=1, max_size=9
)


OPTIONS = st.lists(st.builds(TypedPollPageOption, label=WORDS), min_size=2, max_size=4)


ASKED = st.builds(
    TypedQuestion,
    title=WORDS,
    is_multiple=st.booleans(),
    is_required=st.booleans(),
    options=OPTIONS,
)


def as_sent(draft: Draft) -> list[tuple[str, str]]:
    """What the form of a draft would send."""
    sheet = [(name, str(text)) for name, text in draft.values.items()]
    for row in draft.rows:
        if isinstance(row, Question):
            sheet += [("question_id", row.id), ("title", row.text)]
            sheet += [
                (name, "true") for name in ("is_multiple", "is_required") if getattr(row, name)
            ]
            for option in row.options:
                sheet += [("option_id", option.id), ("option", option.text)]
        else:
            sheet += [("item_id", row.id), ("item", row.text), ("item_note", row.note)]
    return sheet


@given(st.builds(TypedChecklist, name=WORDS, note=st.none() | WORDS, items=ITEMS))
def test_any_checklist_goes_through_its_form_unchanged(typed: TypedChecklist) -> None:
    page = Checklist(**COMMON, **checklist_fields(typed))
    read = ChecklistDraft.read(as_sent(ChecklistDraft.of(page)))
    assert Checklist(**COMMON, **checklist_fields(read.typed(NOW), page)) == page


@given(st.builds(TypedPollPage, name=WORDS, questions=st.lists(ASKED, min_size=1, max_size=4)))
def test_any_poll_goes_through_its_form_unchanged(typed: TypedPollPage) -> None:
    page = Poll(**COMMON, **poll_fields(typed))
    read = PollDraft.read(as_sent(PollDraft.of(page, "UTC")))
    assert Poll(**COMMON, **poll_fields(read.typed(NOW), page)) == page


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2999, 12, 31), timezones=st.just(UTC)),
    st.sampled_from(["UTC", "Europe/Paris", "America/St_Johns", "Australia/Lord_Howe"]),
)
def test_any_moment_goes_through_its_form_unchanged(moment: datetime, zone: str) -> None:
    typed = TypedEvent(name="Fair", start_time=moment.isoformat(), time_zone=zone)
    page = Event(**COMMON, **event_fields(typed))
    read = EventDraft.read(as_sent(EventDraft.of(page, "UTC")))
    assert Event(**COMMON, **event_fields(read.typed(NOW, page))) == page
