"""Notification settings: channels, quiet hours, the digest; on their page and for programs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from commonroom.accounts.tables import User
from commonroom.house.rooms import ROOMS
from commonroom.http.live_topics import Live
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store, counting
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.api.calling import V1, first, given, problem
from tests.notifications.pages.house import House
from tests.support.application import application
from tests.support.pages import text

HERE = "/me/notifications"
SETTINGS = f"{V1}/me/notification-settings"
NAMES = [one.name for room in ROOMS for one in room.data.preferences]
ALL_OFF = dict.fromkeys(NAMES, False)


@pytest.fixture
async def mailing(tmp_path: Path) -> AsyncIterator[House]:
    """An installation that sends e-mail."""
    store = Store(EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF"))
    live = Live(store)
    settings = Settings(data=tmp_path, mail_server="smtp://127.0.0.1:9", mail_from="a@b.example")
    async with AsyncExitStack() as stack:
        yield House(application(store, settings, live), store, stack)
    live.close()
    await store.close()


async def stored(house: House, user: User) -> User:
    found = await house.store.get(user.ref)
    assert found is not None
    return found


def said(answer: httpx.Response) -> str:
    return text(answer).replace("\xa0", " ")


class TestThePage:
    async def test_keeps_what_is_ticked_and_turns_the_rest_off(
        self, house: House, ada: User
    ) -> None:
        reader = await house.reader(ada)
        answer = await reader.post(HERE, data={"list.new_round": "true"})
        assert (answer.status_code, answer.headers["location"]) == (303, HERE)
        kept = await stored(house, ada)
        assert kept.notification_prefs == ALL_OFF | {"new_round": True}
        assert kept.notification_channels == {
            "new_round": {"list": True, "push": False, "mail": True, "digest": False}
        }, "e-mail is not offered here, and stays as it was"
        assert (await reader.get(HERE)).text.count(" checked") == 1

    async def test_needs_nothing_to_be_ticked(self, house: House, ada: User) -> None:
        await (await house.reader(ada)).post(HERE)
        assert (await stored(house, ada)).notification_prefs == ALL_OFF

    async def test_offers_no_e_mail_without_a_mail_server_and_says_why(
        self, house: House, ada: User
    ) -> None:
        page = await (await house.reader(ada)).get(HERE)
        assert 'name="push.new_round"' in page.text
        for name in ("mail.new_round", "digest.new_round", "digest_at"):
            assert f'name="{name}"' not in page.text
        assert "because this installation has no mail server" in said(page)

    async def test_offers_e_mail_and_digest_with_one(self, mailing: House) -> None:
        ada = await first(mailing.store, "Ada")
        reader = await mailing.reader(ada)
        page = await reader.get(HERE)
        assert 'name="digest.hangout_answer"' in page.text
        assert "once you have confirmed your e-mail address" in said(page)
        data = {"digest.new_round": "true", "digest_at": "18:30"}
        await reader.post(HERE, data=data | {"quiet_from": "22:00", "quiet_until": "07:00"})
        kept = await stored(mailing, ada)
        assert (kept.quiet_from, kept.quiet_until, kept.digest_at) == ("22:00", "07:00", "18:30")
        page = await reader.get(HERE)
        assert page.text.count(" checked") == 1
        for value in ("22:00", "07:00", "18:30"):
            assert f'value="{value}"' in page.text

    async def test_takes_quiet_hours_away_again(self, house: House, ada: User) -> None:
        reader = await house.reader(ada)
        await reader.post(HERE, data={"quiet_from": "22:00", "quiet_until": "07:00"})
        await reader.post(HERE, data={"quiet_from": "", "quiet_until": ""})
        kept = await stored(house, ada)
        assert (kept.quiet_from, kept.quiet_until) == (None, None)

    @pytest.mark.parametrize(
        "typed, why",
        [
            ({"quiet_from": "22:00", "quiet_until": ""}, "Say until when it is quiet"),
            ({"quiet_from": "", "quiet_until": "07:00"}, "Say from when it is quiet"),
            ({"quiet_from": "22:00", "quiet_until": "22:00"}, "end at another time"),
            ({"quiet_from": "late", "quiet_until": "07:00"}, "Choose a time"),
        ],
    )
    async def test_says_what_is_wrong_with_quiet_hours(
        self, house: House, ada: User, typed: dict[str, str], why: str
    ) -> None:
        answer = await (await house.reader(ada)).post(HERE, data=typed)
        assert answer.status_code == 422
        assert why in said(answer)
        assert (await stored(house, ada)).quiet_from is None

    async def test_refuses_what_there_is_not(self, house: House, ada: User) -> None:
        reader = await house.reader(ada)
        for name in ("list.nothing", "mail.new_round", "new_round"):
            assert (await reader.post(HERE, data={name: "true"})).status_code == 400

    async def test_asks_the_store_for_nothing_of_its_own(self, house: House, ada: User) -> None:
        reader = await house.reader(ada)
        await reader.get("/me")
        with counting() as tally:
            await reader.get("/me")
        alone = tally.requests
        with counting() as tally:
            await reader.get(HERE)
        assert tally.requests == alone


class TestForPrograms:
    async def test_are_read_and_set(self, house: House, ada: User) -> None:
        program = await house.program(ada, "read", "write")
        before = given(await program.get(SETTINGS))
        assert before["offered"] == ["list", "push"]
        assert (before["quiet_hours"], before["digest_time"]) == (None, "08:00")
        [choice] = before["choices"]
        assert choice == {
            "name": "new_round",
            "label": "A new round",
            "channels": ["list", "push", "mail"],
        }
        change = {
            "channels": {"new_round": ["digest", "list"]},
            "quiet_hours": {"start": "22:00", "end": "07:00"},
            "digest_time": "19:00",
        }
        after = given(await program.put(SETTINGS, json=change))
        assert after["choices"][0]["channels"] == ["list", "digest"]
        assert after["quiet_hours"] == {"start": "22:00", "end": "07:00"}
        assert given(await program.get(SETTINGS)) == after

    async def test_turn_everything_off_as_the_account_s_own_field_does(
        self, house: House, ada: User
    ) -> None:
        program = await house.program(ada, "read", "write")
        given(await program.put(SETTINGS, json={"channels": {"new_round": []}}))
        me = given(await program.get(f"{V1}/me"))
        assert me["notification_prefs"]["new_round"] is False
        change = {"notification_prefs": {"new_round": True}}
        given(await program.patch(f"{V1}/me", json=change))
        [choice] = given(await program.get(SETTINGS))["choices"]
        assert choice["channels"] == ["list", "push", "mail"]

    @pytest.mark.parametrize(
        "body, status",
        [
            ({"channels": {"nothing": []}}, 400),
            ({"channels": {"new_round": ["pigeon"]}}, 422),
            ({"channels": {}, "quiet_hours": {"start": "22:00", "end": "22:00"}}, 422),
            ({"channels": {}, "digest_time": "8"}, 422),
            ({}, 400),
        ],
    )
    async def test_that_cannot_be_are_refused(
        self, house: House, ada: User, body: dict[str, object], status: int
    ) -> None:
        program = await house.program(ada, "read", "write")
        problem(await program.put(SETTINGS, json=body), status)
