"""The notification centre: what one was told, read or not, and where it leads."""

from __future__ import annotations

import re
import time
from html import unescape

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles
from commonroom.accounts.tables import User
from commonroom.notifications.notifications import notification_id, resolve
from commonroom.store import counting, put, update
from tests.notifications.pages.house import House
from tests.notifications.people import FACTS, ROUND, count_unread, told
from tests.support.pages import text

HERE = "/notifications"


class TestTheList:
    async def test_that_is_empty_says_what_will_stand_there(self, house: House, ada: User) -> None:
        page = await (await house.reader(ada)).get(HERE)
        assert page.status_code == 200
        assert "Nothing new" in text(page)
        assert "Mark all read" not in text(page)

    async def test_shows_the_newest_first_in_words_and_marks_the_unread(
        self, house: House, ada: User
    ) -> None:
        await house.tell(ada, about="old", ago=7200, link="/me/members")
        await house.tell(ada, about="new")
        reader = await house.reader(ada)
        page = await reader.get(HERE)
        assert text(page).count("Ada wants to watch a film new") == 2
        assert text(page).index("just now") < text(page).index("2 hours ago")
        await reader.get(f"{HERE}/{notification_id(ROUND, 'new')}")
        assert text(await reader.get(HERE)).count("Ada wants to watch a film new") == 1

    async def test_leaves_out_what_no_longer_needs_anybody(self, house: House, ada: User) -> None:
        await house.tell(ada)
        reader = await house.reader(ada)
        assert "Ada wants to watch a film" in text(await reader.get(HERE))
        await resolve(house.store, time.time(), [ada.user_id], ROUND, "1")
        assert "Ada wants to watch a film" not in text(await reader.get(HERE))

    async def test_takes_one_request_besides_those_for_who_asks(
        self, house: House, ada: User
    ) -> None:
        reader = await house.reader(ada)
        await house.tell(ada)
        await reader.get("/me")
        with counting() as tally:
            await reader.get("/me")
        alone = tally.requests
        with counting() as tally:
            await reader.get(HERE)
        assert tally.requests == alone + 1

    async def test_goes_on_where_it_is_long(self, house: House, ada: User) -> None:
        for number in range(65):
            await house.tell(ada, about=str(number), ago=number, link=f"/me/{number}")
        reader = await house.reader(ada)
        page = await reader.get(HERE)
        links = re.findall(rf'href="({HERE}/[0-9a-f]+)"', page.text)
        more = re.search(r'href="(\?shown=[^"]+)"', page.text)
        assert more is not None
        rest = await reader.get(HERE + unescape(more[1]))
        links += re.findall(rf'href="({HERE}/[0-9a-f]+)"', rest.text)
        assert len(links) == len(set(links)) == 65

    async def test_shows_what_is_about_one_thing_once_and_each_below(
        self, house: House, ada: User
    ) -> None:
        for number, link in enumerate(("/me#a", "/me/data", "/me#b", "/me")):
            await house.tell(ada, about=str(number), ago=100 - number, link=link)
        reader = await house.reader(ada)
        page = await reader.get(HERE)
        assert page.text.count('class="row row-link"') == 2
        assert "and 2 more" in text(page)
        assert "Show all 3" in text(page)
        answer = await reader.post(f"{HERE}/read", data={"thing": "/me"})
        assert answer.status_code == 303
        assert await count_unread(house.store, ada) == 1

    async def test_shows_no_thing_again_on_the_next_page(self, house: House, ada: User) -> None:
        for number in range(65):
            link = "/me" if number % 2 else f"/me/{number}"
            await house.tell(ada, about=str(number), ago=number, link=link)
        reader = await house.reader(ada)
        page = await reader.get(HERE)
        more = re.search(r'href="(\?shown=[^"]+)"', page.text)
        assert more is not None
        rest = await reader.get(HERE + unescape(more[1]))
        things = [re.findall(r'id="thing-([^"]+)"', one.text) for one in (page, rest)]
        assert (len(things[0]), len(things[1])) == (31, 3)
        assert not set(things[0]) & set(things[1])

    async def test_leaves_out_what_somebody_wants_by_push_alone(
        self, house: House, ada: User
    ) -> None:
        channels = {"new_round": {"list": False}}
        await house.store.write(update(ada.ref, notification_channels=channels))
        found = await house.store.get(ada.ref)
        assert found is not None
        await house.tell(found)
        assert "Nothing new" in text(await (await house.reader(ada)).get(HERE))

    async def test_shows_what_nothing_here_can_put_into_words(
        self, house: House, ada: User
    ) -> None:
        await house.tell(ada)
        [one] = await told(house.store, ada)
        for kind, facts in (("of-a-newer-version", {}), ("new_round", {"who": "Ada"})):
            changed = type(one).from_item(one.to_item() | {"kind": kind, "facts": facts})
            await house.store.write(put(changed))
            page = await (await house.reader(ada)).get(HERE)
            assert page.status_code == 200
            assert "Something new in Commonroom" in text(page)

    async def test_speaks_of_nobody_else_s(self, house: House, ada: User, ben: User) -> None:
        await house.tell(ben)
        assert "Nothing new" in text(await (await house.reader(ada)).get(HERE))

    async def test_is_not_for_whoever_acts_for_somebody(self, house: House, ada: User) -> None:
        child = await profiles.add_managed(Context(house.store, ada, 1.0), display_name="Mia")
        reader = await house.reader(ada)
        reader.headers["X-Acting-As-Member"] = child.user_id
        assert (await reader.get(HERE)).status_code == 403
        assert "/notifications" not in (await reader.get("/")).text


class TestReading:
    async def test_one_leads_to_what_it_is_about(self, house: House, ada: User) -> None:
        await house.tell(ada, link="/me/members")
        answer = await (await house.reader(ada)).get(f"{HERE}/{notification_id(ROUND, '1')}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/me/members")
        assert await count_unread(house.store, ada) == 0

    @pytest.mark.parametrize("name", ["nothing", "a%23b", "x" * 3000, "%ff"])
    async def test_one_that_is_not_there_says_so(self, house: House, ada: User, name: str) -> None:
        answer = await (await house.reader(ada)).get(f"{HERE}/{name}")
        assert answer.status_code == 404

    async def test_all_marks_what_was_on_the_page_and_leaves_what_came_since(
        self, house: House, ada: User
    ) -> None:
        await house.tell(ada, about="seen", ago=60)
        reader = await house.reader(ada)
        page = await reader.get(HERE)
        seen = re.search(r'name="until" value="([^"]+)"', page.text)
        assert seen is not None
        await house.tell(ada, about="since")
        answer = await reader.post(f"{HERE}/read", data={"until": seen[1]})
        assert (answer.status_code, answer.headers["location"]) == (303, HERE)
        assert [one.read_at is None for one in await told(house.store, ada)] == [True, False]

    async def test_all_by_a_form_of_another_site_is_refused(self, house: House, ada: User) -> None:
        await house.tell(ada)
        reader = await house.reader(ada)
        answer = await reader.post(f"{HERE}/read", headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403
        assert await count_unread(house.store, ada) == 1


async def test_every_page_leads_to_the_list(house: House, ada: User) -> None:
    page = await (await house.reader(ada)).get("/me")
    assert page.text.count('href="/notifications"') == 2, "at a desk and on a phone"


async def test_the_service_worker_is_served_for_the_whole_house(house: House) -> None:
    answer = await (await house.guest()).get("/service-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "no-cache" in answer.headers["cache-control"]
    assert "notificationclick" in answer.text


async def test_people_can_take_along_what_they_were_told(house: House, ada: User) -> None:
    await house.tell(ada)
    reader, program = await house.reader(ada), await house.program(ada, "read")
    for answer in (await reader.get("/me/data/download"), await program.get("/api/v1/me/export")):
        kept = answer.json()["kept_elsewhere"]["notifications"]
        assert [one["facts"] for one in kept["told"]] == [FACTS]
