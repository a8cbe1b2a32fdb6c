"""A calendar program follows a person's calendar by a private address, which can be revoked."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from icalendar import Calendar

from commonroom.accounts.context import Context
from commonroom.accounts.pages.calendar_feed import FEEDS
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.accounts.tables import accounts as accounts_table
from commonroom.hangouts.service.guests import set_guest_link
from commonroom.hangouts.tables import FriendGroup, Hangout
from commonroom.http.calendar_files import CALENDAR_FILES
from commonroom.store import Store, update
from tests.accounts.api.calling import Calling, Client
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, hangout_of, starts_in


@pytest.fixture
async def adas(calling: Calling, ada: User) -> Client:
    """Ada's browser."""
    return await calling.browser(ada)


@pytest.fixture
async def made(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Hangout:
    """Something that comes up."""
    when = starts_in(clock, 2 * DAY)
    return await hangout_of(store, clock, ada, friends, is_on=True, time=when, title="Karaoke")


async def new_address(client: Client) -> str:
    """Makes a feed; the path that is shown once."""
    answer = await client.post("/me/calendar", data={})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    found = re.search(r'id="feed" value="([^"]+)"', answer.text)
    assert found is not None
    return urlsplit(unescape(found[1])).path


async def test_it_is_made_followed_and_turned_off(
    calling: Calling, adas: Client, made: Hangout
) -> None:
    assert "Create calendar link" in (await adas.get("/me/calendar")).text
    path = await new_address(adas)
    program = await calling.guest()
    answer = await program.get(path)
    assert answer.headers["content-type"].startswith("text/calendar")
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert event["summary"] == "Karaoke"
    again = await program.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    page = (await adas.get("/me/calendar")).text
    assert "Your calendar link was created" in page
    assert path.rpartition("/")[2] not in page
    assert (await adas.post("/me/calendar/revoke", data={})).status_code == 303
    assert (await program.get(path)).status_code == 404


async def test_a_new_one_takes_the_place_of_the_old(calling: Calling, adas: Client) -> None:
    old, new = await new_address(adas), await new_address(adas)
    program = await calling.guest()
    assert (await program.get(old)).status_code == 404
    assert (await program.get(new)).status_code == 200


async def test_nothing_in_the_database_opens_it(store: Store, adas: Client) -> None:
    token = (await new_address(adas)).rpartition("/")[2].removesuffix(".ics")
    rows = (await store.engine.scan(accounts_table, limit=1000)).items
    assert not any(token in str(item) for item in rows)


@pytest.mark.parametrize(
    "wrong", ["{user}/nonsense.ics", "{user}/x", "nobody/{token}", "%00/{token}", "{user}/%F0.ics"]
)
async def test_a_wrong_address_opens_nothing(
    calling: Calling, ada: User, adas: Client, wrong: str
) -> None:
    token = (await new_address(adas)).rpartition("/")[2]
    program = await calling.guest()
    path = wrong.format(user=ada.user_id, token=token)
    assert (await program.get(f"/calendar/{path}")).status_code == 404


async def test_signing_out_everywhere_and_being_kept_out_end_it(
    calling: Calling, store: Store, ada: User, adas: Client
) -> None:
    path = await new_address(adas)
    program = await calling.guest()
    await store.write(update(ada.ref, disabled_at="2026-01-01T00:00:00Z"))
    assert (await program.get(path)).status_code == 404
    await store.write(update(ada.ref, disabled_at=None, epoch=7))
    assert (await program.get(path)).status_code == 404


async def test_it_goes_with_the_account(
    calling: Calling, store: Store, ada: User, adas: Client
) -> None:
    path = await new_address(adas)
    await delete_account(store, ada, typed=CONFIRMATION)
    program = await calling.guest()
    assert (await program.get(path)).status_code == 404
    rows = (await store.engine.scan(accounts_table, limit=1000)).items
    assert "CALENDAR_FEED" not in {item.get("kind") for item in rows}


async def test_it_can_be_fetched_only_so_often(calling: Calling, adas: Client) -> None:
    path = await new_address(adas)
    program = await calling.guest()
    codes = [(await program.get(path)).status_code for _ in range(FEEDS.account.burst + 1)]
    assert codes == [200] * FEEDS.account.burst + [429]


async def test_all_calendar_files_have_one_limit_for_a_network(
    calling: Calling, adas: Client, made: Hangout
) -> None:
    feed = await new_address(adas)
    program, elsewhere = await calling.guest(), await calling.guest("192.0.2.7")
    wrong = f"/h/{'x' * 43}/calendar.ics"
    codes = {(await program.get(wrong)).status_code for _ in range(CALENDAR_FILES.guest.burst)}
    assert codes == {404}
    refused = await program.get(feed)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert (await elsewhere.get(feed)).status_code == 200
    assert (await adas.get(f"/hangouts/{made.hangout_id}/calendar.ics")).status_code == 200


class TestOneHangout:
    async def test_as_a_file_for_whoever_may_see_it(
        self, calling: Calling, adas: Client, eve: User, made: Hangout
    ) -> None:
        path = f"/hangouts/{made.hangout_id}/calendar.ics"
        answer = await adas.get(path)
        (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
        assert event.decoded("dtstart").timestamp() == made.start_timestamp
        assert "attachment" in answer.headers["content-disposition"]
        assert "Add to calendar" in (await adas.get(f"/hangouts/{made.hangout_id}")).text
        eves = await calling.browser(eve)
        assert (await eves.get(path)).status_code == 404

    async def test_for_guests_with_the_link_it_leads_to_their_page(
        self, calling: Calling, store: Store, ada: User, adas: Client, made: Hangout
    ) -> None:
        await set_guest_link(Context(store, ada), made.hangout_id, is_open=True)
        page = unescape((await adas.get(f"/hangouts/{made.hangout_id}")).text)
        link = re.search(r'value="[^"]*(/h/[^"]+)"', page)
        assert link is not None
        guest = await calling.guest()
        assert f'href="{link[1]}/calendar.ics"' in (await guest.get(link[1])).text
        answer = await guest.get(f"{link[1]}/calendar.ics")
        (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
        assert str(event["url"]).endswith(link[1])

    async def test_none_while_it_needs_a_day(
        self, store: Store, clock: Watch, ada: User, adas: Client
    ) -> None:
        floating = await hangout_of(store, clock, ada)
        assert (await adas.get(f"/hangouts/{floating.hangout_id}/calendar.ics")).status_code == 404
