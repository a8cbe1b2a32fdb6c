"""Shareables: checklists, events and polls, and the answers to them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.shareables import tables
from commonroom.shareables.api import bodies, views
from commonroom.shareables.api.events import MyRsvp
from commonroom.shareables.api.polls import MyVote
from commonroom.shareables.pages.answers import EventRsvpForm
from commonroom.shareables.pages.drafts.checklists import ChecklistDraft
from commonroom.shareables.pages.drafts.draft import AnyDraft
from commonroom.shareables.pages.drafts.events import EventDraft
from commonroom.shareables.pages.drafts.polls import PollDraft
from commonroom.shareables.rules.checklists import TypedChecklistItem
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.rules.polls import TypedPollPageOption, TypedQuestion, TypedVote
from commonroom.shareables.service.events import EventGuest
from commonroom.shareables.service.polls import CastVote
from tests.house.fields.surfaces import LeftOut, Travels, named, told_by

TIMES = {
    **dict.fromkeys(
        ("start_time", "end_time", "rsvp_deadline", "closes_at"),
        ("2026-01-02T03:04:05.000Z", "2026-02-03T04:05:06.000Z"),
    ),
    "time_zone": ("Europe/Paris", "Europe/Lisbon"),
}


def _given(kind: type[Struct]) -> dict[str, Any]:
    return {name: pair for name, pair in TIMES.items() if name in kind.__struct_fields__}


def _in_form(draft: AnyDraft) -> Any:
    return dict(draft.values) | {"rows": repr(draft.rows)}


PAGE = (
    LeftOut("short_id created_at updated_at expires_at ttl", "typed form", "given by the house"),
    LeftOut("expires_after", "edit form", "an operation of its own extends it"),
    LeftOut("view_passcode admin_passcode", "edit form", "operations of their own change them"),
    LeftOut(
        "view_passcode_version admin_passcode_version creator_token_version",
        "typed shown",
        "end what was opened before",
    ),
    LeftOut("ttl", "view", "expires_at says"),
    LeftOut("created_by", "typed shown", "whose list has it"),
    LeftOut("is_counted changed_in", "typed shown", "what limits and merging go by"),
    LeftOut("version", "new", "an ETag"),
)
ANSWER = (
    LeftOut("short_id", "typed shown", "where it is"),
    LeftOut("account_id", "typed shown", "who does it, the caller is"),
    LeftOut("created_at updated_at", "typed", "when it is written"),
    LeftOut("created_at updated_at", "view", "the order in which they came says"),
    LeftOut("ttl", "typed shown", "that of its page"),
    LeftOut("network", "typed shown", "where it came from, for an admin"),
    LeftOut("code", "typed shown", "shown once, to its author"),
)

TRAVELS = (
    Travels(
        tables.Checklist,
        typed={
            "new": named(bodies.NewChecklist),
            "edit": named(bodies.ChecklistEdit),
        },
        shown={
            "view": named(views.ChecklistView, passcodes="view_passcode admin_passcode"),
            "form": told_by(tables.Checklist, lambda one: _in_form(ChecklistDraft.of(one))),
        },
        left_out=(*PAGE, LeftOut("ticks", "typed form", "operations of their own")),
    ),
    Travels(
        tables.ChecklistItem,
        typed={"body": named(TypedChecklistItem)},
        shown={"view": named(views.ChecklistItemView)},
    ),
    Travels(
        tables.Event,
        typed={
            "new": named(bodies.NewEvent),
            "edit": named(bodies.EventEdit),
        },
        shown={
            "view": named(
                views.EventPageView,
                passcodes="view_passcode admin_passcode",
                counts="going_count maybe_count not_going_count guest_count",
            ),
            "form": told_by(
                tables.Event,
                lambda one: _in_form(EventDraft.of(one, "UTC")),
                **_given(tables.Event),
            ),
        },
        left_out=(
            *PAGE,
            LeftOut("rsvp_count rsvp_changes", "typed shown", "what limits and caches go by"),
            LeftOut(
                "going_count maybe_count not_going_count guest_count network_count",
                "typed form",
                "counted",
            ),
        ),
    ),
    Travels(
        tables.Poll,
        typed={
            "new": named(bodies.NewPollPage),
            "edit": named(bodies.PollEdit),
        },
        shown={
            "view": named(
                views.PollPageView,
                passcodes="view_passcode admin_passcode",
                results="vote_count tally",
            ),
            "form": told_by(
                tables.Poll,
                lambda one: _in_form(PollDraft.of(one, "UTC")),
                **_given(tables.Poll),
            ),
        },
        left_out=(
            *PAGE,
            LeftOut("is_closed", "typed form", "buttons of their own"),
            LeftOut("vote_count tally network_count", "typed form", "counted"),
        ),
    ),
    Travels(
        tables.PollQuestion,
        typed={"body": named(TypedQuestion)},
        shown={"view": named(views.PollQuestionView)},
    ),
    Travels(
        tables.PollQuestionOption,
        typed={"body": named(TypedPollPageOption)},
        shown={"view": named(views.PollOptionView)},
    ),
    Travels(
        tables.EventRsvp,
        typed={
            "body": named(TypedEventRsvp),
            "form": named(EventRsvpForm),
        },
        shown={"view": named(EventGuest), "own": named(MyRsvp)},
        left_out=ANSWER,
    ),
    Travels(
        tables.PollVote,
        typed={"body": named(TypedVote)},
        shown={"view": named(CastVote), "own": named(MyVote)},
        left_out=ANSWER,
    ),
)
