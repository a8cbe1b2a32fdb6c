"""What a page that is open listens for: what it shows, and not a word more."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.shareables.pages.live import fingerprint
from commonroom.shareables.rules.checklists import checklist_fields
from commonroom.shareables.rules.events import event_fields
from commonroom.shareables.rules.polls import poll_fields
from commonroom.shareables.tables import Checklist, Event, Poll, Tick
from tests.shareables.furniture import BIRTHDAY, COMMON, SHOPPING, SUMMER

NOW, LATER = 1e9, 2e9
COMING = {**COMMON, "expires_at": "2050-01-01T00:00:00.000Z"}
LIST = Checklist(**COMING, **checklist_fields(SHOPPING))
EVENT = Event(**COMING, **event_fields(BIRTHDAY))
POLL = Poll(**COMING, **poll_fields(SUMMER))


def changes(before: Any, after: Any, **who: bool) -> bool:
    """Whether somebody's sign changes."""
    asked: dict[str, Any] = {"is_admin": False, **who}
    return fingerprint(NOW, before, **asked) != fingerprint(NOW, after, **asked)


def test_everybody_hears_of_an_edit() -> None:
    for page in (LIST, EVENT, POLL):
        assert not changes(page, replace(page))
        assert changes(page, replace(page, version=2))


def test_everybody_hears_that_a_pages_time_is_over() -> None:
    over: dict[str, Any] = {"is_admin": False}
    for page in (LIST, EVENT, POLL):
        soon = replace(page, expires_at="2020-01-01T00:00:00.000Z")
        assert fingerprint(NOW, soon, **over) != fingerprint(LATER, soon, **over)


def test_ticks_are_heard_of_in_whatever_order_they_came() -> None:
    first, second = (Tick(at="", by=name) for name in ("Ada", "Ben"))
    bare, one, both, turned = (
        fingerprint(NOW, LIST, is_admin=False, ticks=ticks)
        for ticks in (
            {},
            {"milk": first},
            {"milk": first, "bread": second},
            {"bread": second, "milk": first},
        )
    )
    assert len({bare, one, both}) == 3
    assert both == turned


@pytest.mark.parametrize(
    "visibility, count, name",
    [("everyone", True, True), ("countsOnly", True, False), ("admin", False, False)],
)
def test_answers_are_heard_of_as_far_as_they_are_seen(
    visibility: Any, count: bool, name: bool
) -> None:
    page = replace(EVENT, rsvp_visibility=visibility)
    came = replace(page, rsvp_count=1, going_count=1, rsvp_changes=1)
    renamed = replace(came, rsvp_changes=2)
    assert (changes(page, came), changes(came, renamed)) == (count, name)
    assert changes(page, came, is_admin=True)
    assert changes(came, renamed, is_admin=True)


@pytest.mark.parametrize(
    "visibility, guest, voter",
    [
        ("always", True, True),
        ("afterSubmit", False, True),
        ("afterClose", False, False),
        ("admin", False, False),
    ],
)
def test_votes_are_heard_of_where_one_sees_how_the_poll_stands(
    visibility: Any, guest: bool, voter: bool
) -> None:
    page = replace(POLL, results_visibility=visibility)
    voted = replace(page, vote_count=1, tally={"sea": 1})
    assert changes(page, voted) is guest
    assert changes(page, voted, has_voted=True) is voter
    assert changes(page, voted, is_admin=True)


def test_everybody_hears_that_answers_are_taken_no_longer() -> None:
    until = "2020-01-01T00:00:00.000Z"
    for page in (replace(POLL, closes_at=until), replace(EVENT, rsvp_deadline=until)):
        assert fingerprint(NOW, page, is_admin=False) != fingerprint(LATER, page, is_admin=False)
