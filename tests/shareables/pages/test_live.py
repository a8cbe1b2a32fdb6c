"""A page that is open hears of what others do, and of nothing that it does not show."""

from __future__ import annotations

import time

from msgspec.structs import replace

from commonroom.shareables.rules.events import TypedRsvp
from commonroom.shareables.service import checklists, events, polls
from commonroom.shareables.service.living import delete_page
from commonroom.shareables.service.making import Made
from commonroom.shareables.service.passcodes import change_passcode, enter
from commonroom.shareables.tables import Checklist, Event, Poll
from tests.shareables.furniture import BIRTHDAY, SUMMER, VIEW
from tests.shareables.pages.corner import Corner, at, listening, signed
from tests.shareables.voting import ballot
from tests.support.pages import Browser


async def tick(corner: Corner, made: Made) -> None:
    """Somebody ticks the first item."""
    gate = await corner.opened(made, Checklist)
    await checklists.tick(corner.store, time.time(), gate, gate.page.items[0].checklist_item_id)


async def test_it_hears_a_tick_that_another_makes(corner: Corner, guest: Browser) -> None:
    made = await corner.made()
    async with listening(corner, at(made, "/live")) as heard:
        assert await heard() == signed(await guest.get(at(made)))
        await tick(corner, made)
        assert await heard() == signed(await guest.get(at(made)))


async def test_it_hears_a_vote(corner: Corner, guest: Browser) -> None:
    made = await corner.made(SUMMER)
    async with listening(corner, at(made, "/live")) as heard:
        before = await heard()
        gate = await corner.opened(made, Poll)
        await polls.vote(corner.store, time.time(), gate, ballot(gate.page, 0))
        after = await heard()
        assert (before != after, after) == (True, signed(await guest.get(at(made))))


async def test_it_hears_an_answer_and_that_a_guest_is_called_otherwise(
    corner: Corner, guest: Browser
) -> None:
    made = await corner.made(BIRTHDAY)
    typed = TypedRsvp(name="Ben", response="going")
    async with listening(corner, at(made, "/live")) as heard:
        signs = [await heard()]
        gate = await corner.opened(made, Event)
        rsvp = await events.answer(corner.store, time.time(), gate, typed)
        signs.append(await heard())
        renamed = replace(typed, name="Benjamin")
        await events.change_answer(corner.store, time.time(), gate, rsvp.code, renamed)
        signs.append(await heard())
        assert len(set(signs)) == 3
        answer = await guest.get(at(made))
        assert signs[-1] == signed(answer)
        assert "Benjamin" in answer.text


async def test_a_voter_hears_of_others_where_only_voters_see_how_it_stands(
    corner: Corner, guest: Browser
) -> None:
    made = await corner.made(replace(SUMMER, results_visibility="afterSubmit"))
    gate = await corner.opened(made, Poll)
    where = gate.page.questions[0]
    sea = {where.poll_question_id: where.options[0].poll_question_option_id}
    await guest.send(at(made, "/vote"), **sea)
    (receipt,) = [one for one in guest.client.cookies.jar if one.name == "receipt"]
    stranger = signed(await (await corner.browser()).get(at(made)))
    async with listening(corner, at(made, "/live"), f"receipt={receipt.value}") as heard:
        assert await heard() == signed(await guest.get(at(made)))
        await polls.vote(corner.store, time.time(), gate, ballot(gate.page, 1))
        assert await heard() == signed(await guest.get(at(made)))
    assert signed(await (await corner.browser()).get(at(made))) == stranger, "nothing to see"


async def test_all_who_see_the_same_are_told_by_one_look(corner: Corner) -> None:
    made = await corner.made()
    live = corner.app.state.live
    address = at(made, "/live")
    async with listening(corner, address) as one, listening(corner, address) as other:
        assert await one() == await other()
        assert live.topics == 1
    assert live.topics == 0


async def test_nobody_listens_who_may_not_look(corner: Corner, guest: Browser) -> None:
    made = await corner.made(protected=True)
    answer = await guest.get(at(made, "/live"), headers={"accept": "text/event-stream"})
    assert answer.status_code == 403
    assert corner.app.state.live.topics == 0


async def test_after_the_passcode_changed_it_hears_only_that_and_is_shut(
    corner: Corner, guest: Browser
) -> None:
    made = await corner.made(protected=True)
    typed = enter(
        corner.store, corner.passes, time.time(), made.page.short_id, VIEW, address="here"
    )
    cookie = f"pass-view={(await typed).token}"
    async with listening(corner, at(made, "/live"), cookie) as heard:
        before = await heard()
        gate = await corner.opened(made, Checklist)
        await change_passcode(
            corner.store, corner.passes, time.time(), gate, "view", typed="another one"
        )
        assert await heard() != before
        answer = await guest.get(at(made), headers={"cookie": cookie})
        assert answer.status_code == 403


async def test_it_hears_that_the_page_is_gone(corner: Corner) -> None:
    made = await corner.made()
    async with listening(corner, at(made, "/live")) as heard:
        await heard()
        await delete_page(corner.store, time.time(), await corner.opened(made, Checklist))
        assert await heard() == "gone"
