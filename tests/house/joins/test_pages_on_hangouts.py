"""Pages that a hangout carries: its people need no passcode, and nobody else learns of them."""

from __future__ import annotations

from html import unescape
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.hangouts.room import HANGOUTS
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.service.members import leave_group
from commonroom.shareables.rules.polls import TypedVote
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.checklists import tick
from commonroom.shareables.service.edit import delete_page
from commonroom.shareables.service.gate import Page
from commonroom.shareables.service.polls import vote
from tests.hangouts.friends import group_of, hangout_of
from tests.hangouts.pages.browsing import sent, shown
from tests.house.joins.friends import EVERY_ROOM, VIEW, Friends
from tests.shareables.furniture import NEXT_BIRTHDAY, SHOPPING, SUMMER, YEAR

OTHERS = "Along with it"


async def test_a_checklist_shows_how_far_it_is_and_opens_without_its_passcode(
    friends: Friends,
) -> None:
    page = await friends.shares(friends.ada, SHOPPING)
    ben = await friends.browser(friends.ben)
    address = address_of(page.short_id)
    assert (await ben.get(address)).status_code == 403, "a passcode stands before it"
    offered = await friends.page(friends.ada, "/attach")
    assert "Shopping" in offered
    assert f'value="checklist.{page.short_id}"' in offered
    leads = await friends.attach(friends.ada, "shareable", f"checklist.{page.short_id}")
    assert leads == f"{friends.address}#along"
    gate = await friends.opened(page)
    await tick(gate, page.items[0].checklist_item_id)

    for who in (friends.ada, friends.ben, friends.cleo):
        text = await friends.page(who)
        assert "Shopping" in text
        assert "1 of 2 done" in text
    assert "Shopping" not in await friends.page(friends.ada, "/attach"), "it is there already"

    opened = await ben.get(f"{friends.address}/attachments/shareable/checklist.{page.short_id}")
    assert (opened.status_code, opened.headers["location"]) == (303, address)
    assert "Milk" in (await ben.get(address)).text


async def test_those_who_may_not_have_the_hangout_learn_nothing_and_get_no_pass(
    friends: Friends,
) -> None:
    page = await friends.shares(friends.ada, SHOPPING)
    await friends.attach(friends.ada, "shareable", page.short_id)
    opens = f"{friends.address}/attachments/shareable/checklist.{page.short_id}"
    eve = await friends.browser(friends.eve)
    for path in (friends.address, f"{friends.address}/attach", opens):
        answer = await eve.get(path)
        assert answer.status_code == 404
        assert "set-cookie" not in answer.headers
        assert "Shopping" not in answer.text
    assert (await eve.get(address_of(page.short_id))).status_code == 403


async def test_those_who_pass_by_a_public_hangout_see_nothing_of_what_it_carries(
    friends: Friends,
) -> None:
    group = await group_of(friends.store, friends.clock, friends.ada, name="Open", is_public=True)
    friends.hangout = await hangout_of(
        friends.store, friends.clock, friends.ada, group, visibility="PUBLIC"
    )
    page = await friends.shares(friends.ada, SHOPPING)
    await friends.attach(friends.ada, "shareable", page.short_id)
    assert "Shopping" in await friends.page(friends.ada)
    text = await friends.page(friends.eve)
    assert "Shopping" not in text
    assert "Attach something" not in text
    assert OTHERS not in text
    await friends.page(friends.eve, f"/attachments/shareable/checklist.{page.short_id}", 404)
    assert (await friends.attached())[0].user_id == friends.ada.user_id


class TestAPassOfTheHangout:
    async def test_ends_when_somebody_leaves_the_group_and_not_for_others(
        self, friends: Friends
    ) -> None:
        page = await friends.shares(friends.ada, SHOPPING)
        address, ben, cleo = await _opened(friends, page, friends.ben, friends.cleo)
        await leave_group(friends.ctx(friends.ben), friends.group.group_id)
        assert (await ben.get(f"{friends.address}/attachments/{_thing(page)}")).status_code == 404
        assert (await ben.get(address)).status_code == 403
        assert (await cleo.get(address)).status_code == 200, "who is of the hangout needs none"

    async def test_ends_when_the_page_is_taken_off(self, friends: Friends) -> None:
        page = await friends.shares(friends.ada, SHOPPING)
        address, ben = await _opened(friends, page, friends.ben)
        ada = await friends.browser(friends.ada)
        form = {"kind": "shareable", "thing": f"checklist.{page.short_id}"}
        await sent(ada, f"{friends.address}/attachments/remove", **form)
        for path in (address, f"/api/v1/shareables/{page.short_id}"):
            assert (await ben.get(path)).status_code in (401, 403), path
        await friends.attach(friends.ada, "shareable", page.short_id)
        assert (await ben.get(address)).status_code == 200, "it is there again"

    async def test_ends_with_the_hangout_and_with_the_session(self, friends: Friends) -> None:
        page = await friends.shares(friends.ada, SHOPPING)
        address, ben, cleo = await _opened(friends, page, friends.ben, friends.cleo)
        ben.cookies.delete("session")
        assert (await ben.get(address)).status_code == 403
        await delete_hangout(friends.ctx(friends.ada), friends.hangout.hangout_id)
        assert (await cleo.get(address)).status_code == 403

    async def test_does_not_take_the_place_of_one_that_the_passcode_gave(
        self, friends: Friends
    ) -> None:
        page = await friends.shares(friends.ada, SHOPPING)
        address, ben = await _opened(friends, page, friends.ben)
        await sent(ben, f"{address}/passcode", passcode=VIEW)
        await ben.get(f"{friends.address}/attachments/{_thing(page)}")
        await leave_group(friends.ctx(friends.ben), friends.group.group_id)
        assert (await ben.get(address)).status_code == 200


def _thing(page: Page) -> str:
    return f"shareable/checklist.{page.short_id}"


async def _opened(friends: Friends, page: Page, *people: User) -> list[Any]:
    """The address of a page that the hangout carries, and browsers to which it let people in."""
    await friends.attach(friends.ada, "shareable", page.short_id)
    address = address_of(page.short_id)
    browsers = [await friends.browser(one) for one in people]
    for one in browsers:
        await one.get(f"{friends.address}/attachments/{_thing(page)}")
        assert (await one.get(address)).status_code == 200
    return [address, *browsers]


async def test_only_whoever_made_a_page_attaches_it(friends: Friends) -> None:
    page = await friends.shares(friends.ada, SHOPPING)
    bens = await friends.shares(None, SHOPPING)
    ben = await friends.browser(friends.ben)
    for short_id in (page.short_id, bens.short_id, "abc-def-12345", "", "#", "x" * 90):
        form = {"kind": "shareable", "thing": short_id}
        answer = await ben.post(f"{friends.address}/attachments", data=form)
        assert answer.status_code in (404, 422, 400), answer.status_code
        assert "Shopping" not in answer.text
    assert await friends.attached() == []


async def test_how_a_secret_poll_stands_is_said_to_nobody(friends: Friends) -> None:
    secret = await friends.shares(friends.ada, replace(SUMMER, results_visibility="admin"))
    plain = await friends.shares(friends.ada, replace(SUMMER, name="Winter"))
    for page in (secret, plain):
        gate = await friends.opened(page)
        chosen = page.questions[0].options[0].poll_question_option_id
        answers = {page.questions[0].poll_question_id: [chosen]}
        await vote(gate, TypedVote(name=None, answers=answers))
        await friends.attach(friends.ada, "shareable", page.short_id)
    text = await friends.page(friends.ben)
    assert text.count("1 vote<") == 1
    assert "Voting is open" in text


async def test_whoever_attached_it_or_may_edit_takes_it_off(friends: Friends) -> None:
    cleos = await friends.shares(friends.cleo, NEXT_BIRTHDAY)
    adas = await friends.shares(friends.ada, SHOPPING)
    await friends.attach(friends.cleo, "shareable", cleos.short_id)
    await friends.attach(friends.ada, "shareable", adas.short_id)
    cleo, ben = await friends.browser(friends.cleo), await friends.browser(friends.ben)
    remove = f"{friends.address}/attachments/remove"
    others = {"kind": "shareable", "thing": f"checklist.{adas.short_id}"}
    assert (await cleo.post(remove, data=others)).status_code == 403
    assert (await ben.post(remove, data=others)).status_code == 303
    own = {"kind": "shareable", "thing": f"event.{cleos.short_id}"}
    assert (await cleo.post(remove, data=own)).status_code == 303
    assert await friends.attached() == []
    assert await friends.drift() == []


async def test_what_is_attached_goes_with_whoever_attached_it_and_with_the_page(
    friends: Friends,
) -> None:
    bens = await friends.shares(friends.ben, NEXT_BIRTHDAY)
    adas = await friends.shares(friends.ada, SHOPPING)
    await friends.attach(friends.ben, "shareable", bens.short_id)
    await friends.attach(friends.ada, "shareable", adas.short_id)
    await leave_group(friends.ctx(friends.ben), friends.group.group_id)
    await friends.follow(*HANGOUTS.data.consumers)
    assert [one.user_id for one in await friends.attached()] == [friends.ada.user_id]
    await delete_page(await friends.opened(adas))
    text = await friends.page(friends.ada)
    assert "Shopping" not in text, "also before anybody cleared up"
    await friends.follow()
    assert await friends.attached() == []
    assert await friends.drift() == []


async def test_an_attachment_that_leads_nowhere_is_named_and_mended(friends: Friends) -> None:
    page = await friends.shares(friends.ada, SHOPPING)
    await friends.attach(friends.ada, "shareable", page.short_id)
    await friends.follow()
    await delete_page(await friends.opened(page))
    found = [one for one in await friends.drift() if one.check == "attachments"]
    assert [one.detail for one in found] == ["What was attached is gone."]
    assert all(one.repaired for one in await friends.drift(repair=True))
    assert await friends.attached() == []
    assert await friends.drift() == []


async def test_while_the_room_is_off_nothing_shows_and_all_comes_back(friends: Friends) -> None:
    page = await friends.shares(friends.ada, SHOPPING)
    await friends.attach(friends.ada, "shareable", page.short_id)
    opens = f"/attachments/shareable/checklist.{page.short_id}"
    friends.opens("hangouts")
    text = await friends.page(friends.ada)
    assert "Shopping" not in text
    assert "Attach something" not in text
    assert "There is nothing that can be attached here." in await friends.page(
        friends.ada, "/attach"
    )
    await friends.page(friends.ada, opens, 404)
    assert len(await friends.attached()) == 1
    friends.opens(EVERY_ROOM)
    assert "Shopping" in await friends.page(friends.ada)


async def test_pages_take_a_request_for_each_kind_and_none_without(friends: Friends) -> None:
    without = await friends.requests(friends.ben)
    for typed in (NEXT_BIRTHDAY, SUMMER, replace(SHOPPING, ticks_shared=False)):
        page = await friends.shares(friends.ada, typed)
        await friends.attach(friends.ada, "shareable", page.short_id)
        assert await friends.requests(friends.ben) == without + 1
    for _ in range(3):
        page = await friends.shares(friends.ada, SHOPPING)
        await friends.attach(friends.ada, "shareable", page.short_id)
        assert await friends.requests(friends.ben) == without + 2, (
            "ticks that are shared stand apart"
        )


async def test_at_most_ten_things_and_none_twice(friends: Friends) -> None:
    pages = [await friends.shares(friends.ada, SHOPPING, passcode=None) for _ in range(11)]
    for page in [*pages[:10], pages[0]]:
        await friends.attach(friends.ada, "shareable", page.short_id)
    ada = await friends.browser(friends.ada)
    form = {"kind": "shareable", "thing": pages[10].short_id}
    refused = await ada.post(f"{friends.address}/attachments", data=form)
    assert refused.status_code == 409
    assert "at most 10 things" in unescape(refused.text)
    assert len(await friends.attached()) == 10
    assert await friends.drift() == []


async def test_an_open_page_hears_of_a_tick_and_of_what_is_attached_later(
    friends: Friends,
) -> None:
    page = await friends.shares(friends.ada, SHOPPING)
    await friends.attach(friends.ada, "shareable", page.short_id)
    async with friends.listening(friends.ben) as heard:
        first = await heard()
        assert f'version="{first}"' in await friends.page(friends.ben), "the page knows the same"
        await tick(await friends.opened(page), page.items[0].checklist_item_id)
        second = await heard()
        assert first != second
        assert f'version="{second}"' in await friends.page(friends.ben)
        poll = await friends.shares(friends.ada, SUMMER)
        await friends.attach(friends.ada, "shareable", poll.short_id)
        while (last := await heard()) != "over":
            assert last != second
    async with friends.listening(friends.ben) as heard:
        assert f'version="{await heard()}"' in await friends.page(friends.ben)


async def test_an_event_becomes_a_hangout_with_its_words_and_carries_it(friends: Friends) -> None:
    page = await friends.shares(friends.ada, NEXT_BIRTHDAY, passcode=None)
    address = address_of(page.short_id)
    ada, ben = await friends.browser(friends.ada), await friends.browser(friends.ben)
    new = f"/hangouts/new?kind=shareable&thing=event.{page.short_id}"
    assert f'href="{new}"' in await shown(ada, address)
    assert "Make it a hangout" not in await shown(ben, address), "it is not his event"
    form = await shown(ada, new)
    for word in ("Birthday", "The garden", "Bring a *cake*.", f'value="{YEAR}-12-01"'):
        assert word in form
    assert (await ben.get(new)).status_code == 404
    fields = {"kind": "shareable", "thing": f"event.{page.short_id}", "title": "Party"}
    leads = await sent(ada, "/hangouts/new", how="float", **fields)
    assert f'href="{address}"' in await shown(ada, leads)
    stranger = {"kind": "shareable", "thing": f"event.{page.short_id}", "title": "Mine"}
    leads = await sent(ben, "/hangouts/new", how="float", **stranger)
    assert address not in await shown(ben, leads), "the hangout is made, and carries nothing"
    friends.opens("shareables")
    assert "Make it a hangout" not in await shown(await friends.browser(friends.ada), address)
