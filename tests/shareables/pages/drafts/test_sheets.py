"""What a form sends: whatever it is, it is read or refused in a sentence."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import BadRequest, InvalidField
from commonroom.shareables.pages.drafts import DRAFTS, Draft
from commonroom.shareables.pages.drafts.checklists import ChecklistDraft
from commonroom.shareables.pages.drafts.draft import compared, refused
from commonroom.shareables.pages.drafts.polls import PollDraft
from commonroom.shareables.pages.drafts.rows import Sheet
from commonroom.shareables.service.edit import fields_of
from commonroom.shareables.service.listing import Kind

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
    with suppress(InvalidField):
        fields_of(draft.typed())
    wrong = refused(draft, InvalidField("passcode", "A passcode has 4 to 64 characters."))
    assert wrong.field in ("view_passcode", "admin_passcode")
    assert rest_of(compared(wrong, wrong, ("name",)))[: len(rest_of(draft))] == rest_of(draft)


@pytest.mark.parametrize("draft", [ChecklistDraft, PollDraft])
def test_a_button_for_more_needs_no_row(draft: type[ChecklistDraft] | type[PollDraft]) -> None:
    read = draft.read([("do", "remove")])
    assert read.is_rearranged
    assert len(read.rows) == 1
