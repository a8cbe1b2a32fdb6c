"""A page that is open hears of what others do, and of nothing that it does not show."""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.shareables.pages.view import fingerprint
from commonroom.shareables.rules.checklists import checklist_fields
from commonroom.shareables.rules.events import TypedEventRsvp, event_fields
from commonroom.shareables.rules.polls import poll_fields
from commonroom.shareables.service import checklists, events, polls
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.edit import delete_page
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passcodes import change_passcode, enter
from commonroom.shareables.tables import Checklist, Event, Poll, Tick
from tests.shareables.furniture import COMMON, NEXT_BIRTHDAY, SHOPPING, SUMMER, VIEW
from tests.shareables.pages.site import Site, at, listening, signed
from tests.shareables.voting import ballot
from tests.support.pages import Browser


async def tick(site: Site, made: Created) -> None:
    """Somebody ticks the first item."""
    gate = await site.opened(made, Checklist)
    await checklists.tick(gate, gate.page.items[0].checklist_item_id)


async def test_it_hears_a_tick_that_another_makes(site: Site, guest: Browser) -> None:
    made = await site.made()
    async with listening(site, at(made, "/live")) as heard:
        assert await heard() == signed(await guest.get(at(made)))
        await tick(site, made)
        assert await heard() == signed(await guest.get(at(made)))


async def test_it_hears_a_vote(site: Site, guest: Browser) -> None:
    made = await site.made(SUMMER)
    async with listening(site, at(made, "/live")) as heard:
        before = await heard()
        gate = await site.opened(made, Poll)
        await polls.vote(gate, ballot(gate.page, 0))
        after = await heard()
        assert (before != after, after) == (True, signed(await guest.get(at(made))))


async def test_it_hears_an_answer_and_that_a_guest_is_called_otherwise(
    site: Site, guest: Browser
) -> None:
    made = await site.made(NEXT_BIRTHDAY)
    typed = TypedEventRsvp(name="Ben", response="going")
    async with listening(site, at(made, "/live")) as heard:
        signs = [await heard()]
        gate = await site.opened(made, Event)
        rsvp = await events.answer(gate, typed)
        signs.append(await heard())
        renamed = replace(typed, name="Benjamin")
        await events.change_answer(gate, rsvp.code, renamed)
        signs.append(await heard())
        assert len(set(signs)) == 3
        answer = await guest.get(at(made))
        assert signs[-1] == signed(answer)
        assert "Benjamin" in answer.text


async def test_a_voter_hears_of_others_where_only_voters_see_how_it_stands(
    site: Site, guest: Browser
) -> None:
    made = await site.made(replace(SUMMER, results_visibility="afterSubmit"))
    gate = await site.opened(made, Poll)
    where = gate.page.questions[0]
    sea = {where.poll_question_id: where.options[0].poll_question_option_id}
    await guest.send(at(made, "/vote"), **sea)
    (receipt,) = [one for one in guest.client.cookies.jar if one.name == "receipt"]
    stranger = signed(await (await site.browser()).get(at(made)))
    async with listening(site, at(made, "/live"), f"receipt={receipt.value}") as heard:
        assert await heard() == signed(await guest.get(at(made)))
        await polls.vote(gate, ballot(gate.page, 1))
        assert await heard() == signed(await guest.get(at(made)))
    assert signed(await (await site.browser()).get(at(made))) == stranger, "nothing to see"


async def test_all_who_see_the_same_are_told_by_one_look(site: Site) -> None:
    made = await site.made()
    live = site.app.state.live
    address = at(made, "/live")
    async with listening(site, address) as one, listening(site, address) as other:
        assert await one() == await other()
        assert live.topics == 1
    assert live.topics == 0


async def test_nobody_listens_who_may_not_look(site: Site, guest: Browser) -> None:
    made = await site.made(protected=True)
    answer = await guest.get(at(made, "/live"), headers={"accept": "text/event-stream"})
    assert answer.status_code == 403
    assert site.app.state.live.topics == 0


async def test_after_the_passcode_changed_it_hears_only_that_and_is_shut(
    site: Site, guest: Browser
) -> None:
    made = await site.made(protected=True)
    typed = enter(
        ShareableVisitor(site.store, site.passes, time.time(), address="here"),
        made.page.short_id,
        VIEW,
    )
    cookie = f"pass-view={(await typed).token}"
    async with listening(site, at(made, "/live"), cookie) as heard:
        before = await heard()
        gate = await site.opened(made, Checklist)
        await change_passcode(gate, "view", typed="another one")
        assert await heard() != before
        answer = await guest.get(at(made), headers={"cookie": cookie})
        assert answer.status_code == 403


async def test_it_hears_that_the_page_is_gone(site: Site) -> None:
    made = await site.made()
    async with listening(site, at(made, "/live")) as heard:
        await heard()
        await delete_page(await site.opened(made, Checklist))
        assert await heard() == "gone"


NOW, LATER = 1e9, 2e9
COMING = {**COMMON, "expires_at": "2050-01-01T00:00:00.000Z"}
LIST = Checklist(**COMING, **checklist_fields(SHOPPING))
EVENT = Event(**COMING, **event_fields(NEXT_BIRTHDAY))
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
