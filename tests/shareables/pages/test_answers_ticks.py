"""Ticking items off a list: for everyone, or on one device."""

from __future__ import annotations

import re

import httpx
import pytest
from msgspec.structs import replace

from commonroom.shareables.rules.checklists import MAX_ITEMS, TypedChecklistItem
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.edit import save
from commonroom.shareables.tables import Checklist, ChecklistTick
from tests.shareables.furniture import SHOPPING, everything_of
from tests.shareables.pages.site import DAY, Site, at
from tests.support.pages import Browser, said, text, value

PRIVATE = replace(SHOPPING, ticks_shared=False)


def ids(page: object) -> list[str]:
    """The ids of a list's items."""
    assert isinstance(page, Checklist)
    return [one.checklist_item_id for one in page.items]


def ticked(answer: httpx.Response) -> list[str]:
    """The ids of the items that a page shows as done."""
    return re.findall(r'aria-checked="true" name="untick" value="([^"]+)"', answer.text)


def heard(answer: httpx.Response) -> str:
    """What the page says of how far the list is."""
    found = re.search(r'progress-line">\s*<p role="status">(.*?)</p>', answer.text, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


class TestASharedList:
    async def test_shows_everybody_the_same_ticks(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        milk, _bread = ids(made.page)
        first = await guest.follow(await guest.send(at(made, "/tick"), tick=milk))
        other = await (await site.browser()).get(at(made))
        assert ticked(first) == ticked(other) == [milk]
        assert heard(other) == "1 of 2"

    async def test_says_when_everything_is_done_and_takes_ticks_back(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made()
        milk, bread = ids(made.page)
        for item in (milk, bread, bread):
            answer = await guest.follow(await guest.send(at(made, "/tick"), tick=item))
        assert heard(answer) == "2 of 2 · All done. Lovely!"
        answer = await guest.follow(await guest.send(at(made, "/tick"), untick=milk))
        assert ticked(answer) == [bread]

    async def test_names_who_ticked_where_they_say_so(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        milk, bread = ids(made.page)
        named = await guest.follow(await guest.send(at(made, "/name"), name=" Zoë  B; "))
        assert said(named) == "Your name is now shown next to what you tick."
        assert value(named, "name") == "Zoë B;"
        await guest.send(at(made, "/tick"), tick=milk)
        assert "Milk Zoë B;" in text(await (await site.browser()).get(at(made)))
        await guest.send(at(made, "/name"), name="")
        await guest.send(at(made, "/tick"), tick=bread)
        gate = await site.opened(made, Checklist)
        assert {key: tick.by for key, tick in (await ticks_of(site.store, gate.page)).items()} == {
            milk: "Zoë B;",
            bread: None,
        }

    async def test_takes_a_name_of_60_characters(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        assert (await guest.send(at(made, "/name"), name="é" * 60)).status_code == 303
        answer = await guest.send(at(made, "/name"), name="é" * 61)
        assert answer.status_code == 422
        assert "at most 60 characters" in text(answer)
        assert value(answer, "name") == "é" * 61, "nothing typed is lost"

    async def test_offers_somebody_their_own_name(self, site: Site) -> None:
        made = await site.made()
        answer = await (await site.browser(await site.somebody("Ben"))).get(at(made))
        assert value(answer, "name") == "Ben"

    async def test_refuses_an_item_that_is_gone(self, site: Site, guest: Browser) -> None:
        made = await site.made()
        answer = await guest.send(at(made, "/tick"), tick="gone")
        assert answer.status_code == 404
        assert "no longer on the list" in text(answer)


class TestAListOfOnesOwn:
    async def test_keeps_ticks_on_the_device(self, site: Site, guest: Browser) -> None:
        made = await site.made(PRIVATE)
        milk, bread = ids(made.page)
        await guest.send(at(made, "/tick"), tick=milk)
        await guest.send(at(made, "/tick"), tick=bread)
        await guest.send(at(made, "/tick"), untick=milk)
        assert ticked(await guest.get(at(made))) == [bread]
        assert ticked(await (await site.browser()).get(at(made))) == []
        assert not await everything_of(site.store.engine, ChecklistTick)

    async def test_can_be_started_over(self, site: Site, guest: Browser) -> None:
        made = await site.made(PRIVATE)
        assert "Start over" not in text(await guest.get(at(made)))
        answer = await guest.follow(await guest.send(at(made, "/tick"), tick=ids(made.page)[0]))
        assert "Start over" in text(answer)
        answer = await guest.follow(await guest.send(at(made, "/ticks/clear")))
        assert ticked(answer) == []
        assert said(answer) == "Your ticks are cleared."

    async def test_keeps_them_with_their_items_when_the_list_is_edited(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(PRIVATE)
        milk, bread = ids(made.page)
        for item in (milk, bread):
            await guest.send(at(made, "/tick"), tick=item)
        gate = await site.opened(made, Checklist)
        items = [
            TypedChecklistItem(name="Tea"),
            TypedChecklistItem(checklist_item_id=bread, name="Rolls"),
        ]
        await save(replace(gate, now=2e9), made.page.version, replace(PRIVATE, items=items))
        answer = await guest.get(at(made))
        assert ticked(answer) == [bread]
        assert heard(answer) == "1 of 2"

    async def test_holds_as_many_as_a_list_can_in_one_small_cookie(
        self, site: Site, guest: Browser
    ) -> None:
        items = [TypedChecklistItem(name=str(number)) for number in range(MAX_ITEMS)]
        made = await site.made(replace(PRIVATE, items=items))
        for item in ids(made.page):
            answer = await guest.send(at(made, "/tick"), tick=item)
        assert len(answer.headers["set-cookie"]) < 1500
        assert len(ticked(await guest.get(at(made)))) == MAX_ITEMS

    @pytest.mark.parametrize("kept", ["nonsense!", "A", "AAAA", "A" * 5000])
    async def test_minds_no_cookie_that_says_something_else(
        self, site: Site, guest: Browser, kept: str
    ) -> None:
        made = await site.made(PRIVATE)
        answer = await guest.get(at(made), headers={"cookie": f"ticks={kept}"})
        assert answer.status_code == 200
        assert ticked(answer) == []

    async def test_refuses_an_item_that_is_gone(self, site: Site, guest: Browser) -> None:
        made = await site.made(PRIVATE)
        assert (await guest.send(at(made, "/tick"), tick="gone")).status_code == 404
        assert (await guest.send(at(made, "/tick"))).status_code == 404


async def test_a_list_whose_time_is_over_takes_no_ticks(site: Site) -> None:
    ada = await site.somebody("Ada")
    made = await site.made(ago=8 * DAY, account_id=ada.user_id)
    adas = await site.browser(ada)
    assert (await adas.send(at(made, "/tick"), tick=ids(made.page)[0])).status_code == 410
    assert " disabled" in (await adas.get(at(made))).text
