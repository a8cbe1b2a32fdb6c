"""Webhooks on pages and for programs: one's own, and those of the house."""

from __future__ import annotations

import re

import pytest

from commonroom.accounts.tables import User
from commonroom.notifications.tables import Webhook
from commonroom.notifications.webhooks import INSTALLATION, MAX_WEBHOOKS, list_webhooks
from commonroom.store import counting, update
from tests.accounts.api.calling import V1, given, problem
from tests.notifications.pages.house import House
from tests.notifications.people import told
from tests.support.pages import text

OWN, HOUSE = "/me/webhooks", "/admin/webhooks"
API_OWN, API_HOUSE = f"{V1}/me/webhooks", f"{V1}/webhooks"
NEW = {"name": "Lights", "address": "https://lights.example/hook"}


@pytest.fixture
async def hook(house: House, ada: User) -> Webhook:
    """A webhook of Ada's."""
    await (await house.browser(ada)).post(OWN, data=NEW)
    [made] = await list_webhooks(house.store, ada.user_id)
    return made


class TestThePage:
    async def test_makes_one_and_shows_its_secret_this_once(self, house: House, ada: User) -> None:
        reader = await house.reader(ada)
        assert "No webhooks yet" in text(await reader.get(OWN))
        made = await reader.post(OWN, data=NEW)
        assert re.search(r"whsec_[A-Za-z0-9+/=]{44}", made.text)
        assert made.headers["cache-control"] == "no-store"
        page = await reader.get(OWN)
        assert "https://lights.example/hook" in text(page)
        assert "not tested yet" in text(page)
        assert "whsec_" not in page.text

    async def test_says_what_is_wrong_and_keeps_what_was_typed(
        self, house: House, ada: User
    ) -> None:
        reader = await house.reader(ada)
        refused = await reader.post(
            OWN, data={"name": "Lights", "address": "http://lights.example"}
        )
        assert refused.status_code == 422
        assert "Enter an address that begins with https://." in text(refused)
        assert 'value="http://lights.example"' in refused.text

    async def test_says_how_each_is_doing(self, house: House, ada: User, hook: Webhook) -> None:
        reader = await house.reader(ada)
        for change, words in (
            (update(hook, delivered_at=hook.since), "works"),
            (update(hook, problem="The server answered 500."), "failing"),
            (update(hook, disabled_at=hook.since), "turned off"),
        ):
            await house.store.write(change)
            assert words in text(await reader.get(OWN))

    async def test_takes_no_more_than_there_is_room_for(self, house: House, ada: User) -> None:
        reader = await house.reader(ada)
        for _ in range(MAX_WEBHOOKS):
            await reader.post(OWN, data=NEW)
        assert "New webhook" not in text(await reader.get(OWN))
        refused = await reader.post(OWN, data=NEW)
        assert refused.status_code == 409
        assert "Delete one first" in text(refused)

    async def test_deletes_one(self, house: House, ada: User, hook: Webhook) -> None:
        reader = await house.reader(ada)
        await reader.post(f"{OWN}/{hook.webhook_id}/delete")
        assert await list_webhooks(house.store, ada.user_id) == []

    async def test_costs_one_request_besides_those_for_who_asks(
        self, house: House, ada: User, hook: Webhook
    ) -> None:
        reader = await house.reader(ada)
        await reader.get("/me")
        with counting() as tally:
            await reader.get("/me")
        alone = tally.requests
        with counting() as tally:
            await reader.get(OWN)
        assert hook.name
        assert tally.requests == alone + 1

    async def test_tells_whose_account_it_is_and_the_other_administrators(
        self, house: House, ada: User, ben: User
    ) -> None:
        await (await house.browser(ben)).post(OWN, data=NEW)
        for person in (ada, ben):
            assert [one.kind for one in await told(house.store, person)] == ["account_webhook"]


class TestThoseOfTheHouse:
    async def test_are_for_administrators_alone(self, house: House, ada: User, ben: User) -> None:
        await (await house.browser(ada)).post(HOUSE, data=NEW)
        [made] = await list_webhooks(house.store, INSTALLATION)
        someone = await house.browser(ben)
        for deed in ("", f"/{made.webhook_id}/test", f"/{made.webhook_id}/delete"):
            assert (await someone.post(HOUSE + deed, data=NEW)).status_code == 403
        problem(await someone.get(API_HOUSE), 403)
        assert await list_webhooks(house.store, INSTALLATION) == [made]

    async def test_are_not_one_s_own(self, house: House, ada: User) -> None:
        reader = await house.reader(ada)
        await reader.post(HOUSE, data=NEW)
        assert "No webhooks yet" in text(await reader.get(OWN))
        assert "Lights" in text(await reader.get(HOUSE))


class TestPrograms:
    async def test_list_test_and_delete_them_but_make_none(
        self, house: House, ada: User, hook: Webhook
    ) -> None:
        program = await house.program(ada, "read", "write")
        [listed] = given(await program.get(API_OWN))["items"]
        assert (listed["name"], listed["is_active"]) == ("Lights", True)
        assert "secret" not in listed
        problem(await program.post(API_OWN, json=NEW), 403)
        problem(await program.post(f"{API_OWN}/{hook.webhook_id}/test"), 409)
        given(await program.delete(f"{API_OWN}/{hook.webhook_id}"), 204)
        problem(await program.delete(f"{API_OWN}/{hook.webhook_id}"), 404)

    async def test_of_a_browser_make_one_and_get_its_secret(self, house: House, ada: User) -> None:
        browser = await house.browser(ada)
        for address in (API_OWN, API_HOUSE):
            made = given(await browser.post(address, json=NEW), 201)
            assert made["secret"].startswith("whsec_")
            given(await browser.delete(f"{address}/{made['webhook_id']}"), 204)

    async def test_of_others_find_nothing(self, house: House, ben: User, hook: Webhook) -> None:
        other = await house.program(ben, "read", "write")
        assert given(await other.get(API_OWN))["items"] == []
        problem(await other.post(f"{API_OWN}/{hook.webhook_id}/test"), 404)
        problem(await other.delete(f"{API_OWN}/{hook.webhook_id}"), 404)
