"""Pushes reach every browser of a person and nobody else; what fails is retried or forgotten."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from py_vapid.jwt import decode  # type: ignore[import-untyped] # it says nothing of its types

from commonroom.accounts.context import Context
from commonroom.accounts.service.sessions import end_all_sessions, sign_out
from commonroom.accounts.tables import Session, User
from commonroom.moments import iso
from commonroom.notifications import tell
from commonroom.notifications.channels import SECONDS, channel_consumer
from commonroom.notifications.kinds import Words
from commonroom.notifications.notifications import notification_id
from commonroom.notifications.push import LIMITS, PushChannel, vapid_of
from commonroom.notifications.push_subscriptions import (
    FORGOTTEN_SECONDS,
    RETRIED_SECONDS,
    delete_subscription,
    mark_unreached,
)
from commonroom.notifications.reading import read
from commonroom.notifications.tables import PushSubscription, push_subscriptions
from commonroom.outgoing.fetcher import Fetcher, FetchLimits
from commonroom.settings import Settings, secrets_of
from commonroom.store import Store, put
from commonroom.store.streams import Worker
from commonroom.store.streams.tables import parked_changes
from tests.accounts.people import DAY, Watch
from tests.notifications.people import NEWS, Device, person, saying, told
from tests.notifications.push_service import HANG, PushService, push_service
from tests.support.clocks import SET_BACK

WORDS = Words("News", "Something happened – says Zoë.")


class Pushing:
    """A person, their browsers, and what sends them pushes."""

    def __init__(self, store: Store, clock: Watch, ada: User, service: PushService) -> None:
        self.store = store
        self.clock = clock
        self.ada = ada
        self.service = service
        self.fetcher = Fetcher([service.address])
        settings = Settings(secret_key="k" * 40, mail_from="house@home.example")
        self.vapid = vapid_of(settings, secrets_of(settings))
        self.worker = self.sending(WORDS)

    def sending(self, words: Words) -> Worker:
        """What sends these words for everything."""
        channel = PushChannel(self.fetcher, self.vapid, self.clock)
        consumer = channel_consumer(channel, saying(words), self.clock)
        return Worker(self.store, [consumer], clock=self.clock)

    async def browser(self, name: str, user: User | None = None) -> tuple[Device, Session]:
        """A browser that somebody has signed in with."""
        device = Device(self.service.endpoint(name))
        return device, await device.signed_in(self.store, self.clock, user or self.ada)

    async def news(self, about: str = "1", link: str = "/") -> None:
        """Something happens."""
        told = await tell(
            self.store, self.clock(), [self.ada], NEWS, facts={}, link=link, id=about, by=None
        )
        assert told == 1

    async def waiting(self) -> list[str]:
        """What went wrong with the pushes that wait for another try."""
        asked = parked_changes(consumer="notify-push")
        return [one.error async for one in self.store.all(asked)]

    async def known(self) -> list[PushSubscription]:
        """The browsers that are known."""
        return (await self.store.page(push_subscriptions(user_id=self.ada.user_id))).items


@pytest.fixture
async def pushing(store: Store, clock: Watch, ada: User) -> AsyncIterator[Pushing]:
    """Ada, and a push service that is trusted in place of a public one."""
    async with push_service() as running:
        made = Pushing(store, clock, ada, running)
        yield made
        await made.fetcher.close()


class TestAPush:
    async def test_is_read_by_each_of_a_person_s_browsers_and_only_by_it(
        self, pushing: Pushing
    ) -> None:
        phone, _ = await pushing.browser("phone")
        desk, _ = await pushing.browser("desk")
        await pushing.browser("other", await person(pushing.store, "Ben"))
        await pushing.news()
        await pushing.worker.drain()
        [to_phone], [to_desk] = pushing.service.to("phone"), pushing.service.to("desk")
        expected = {
            "title": "News",
            "text": "Something happened – says Zoë.",
            "link": f"/notifications/{notification_id(NEWS, '1')}",
            "tag": notification_id(NEWS, "1"),
        }
        assert json.loads(phone.read(to_phone.body)) == expected
        assert json.loads(desk.read(to_desk.body)) == expected
        assert pushing.service.to("other") == []

    async def test_says_who_sends_it_and_how_long_it_is_worth_something(
        self, pushing: Pushing
    ) -> None:
        await pushing.browser("phone")
        await pushing.news()
        pushing.clock.forward(600)
        await pushing.worker.drain()
        [sent] = pushing.service.to("phone")
        assert sent.headers["content-encoding"] == "aes128gcm"
        assert sent.headers["ttl"] == str(DAY - 600)
        assert sent.headers["topic"] == notification_id(NEWS, "1")
        scheme, _, parts = sent.headers["authorization"].partition(" ")
        shown = dict(part.split("=", 1) for part in parts.split(", "))
        assert scheme == "vapid"
        assert shown["k"] == pushing.vapid.public
        claims = decode(shown["t"], pushing.vapid.public)
        assert claims["aud"] == pushing.service.address
        assert pushing.clock() < claims["exp"] <= pushing.clock() + DAY
        assert claims["sub"] == "mailto:house@home.example"

    async def test_is_not_sent_a_day_later(self, pushing: Pushing) -> None:
        await pushing.browser("phone")
        await pushing.news()
        pushing.clock.forward(DAY)
        await pushing.worker.drain()
        assert pushing.service.delivered == []

    async def test_is_not_sent_to_who_has_read_it_already(self, pushing: Pushing) -> None:
        await pushing.browser("phone")
        for about in ("1", "2"):
            await pushing.news(about, link=f"/{about}")
        await read(Context(pushing.store, pushing.ada, pushing.clock()), notification_id(NEWS, "1"))
        await pushing.worker.drain()
        [sent] = pushing.service.delivered
        assert sent.headers["topic"] == notification_id(NEWS, "2")

    async def test_is_cut_so_that_push_services_take_it(self, pushing: Pushing) -> None:
        phone, _ = await pushing.browser("phone")
        await pushing.news()
        await pushing.sending(Words("\U0001f9e1" * 1000, "\U0001f9e1" * 5000)).drain()
        [sent] = pushing.service.to("phone")
        assert len(sent.body) <= 4096
        assert json.loads(phone.read(sent.body))["text"] == "\U0001f9e1" * 300


class TestABrowser:
    async def test_is_told_nothing_once_it_is_signed_out_and_is_forgotten(
        self, pushing: Pushing
    ) -> None:
        _, session = await pushing.browser("phone")
        await sign_out(pushing.store, session)
        await pushing.news()
        await pushing.worker.drain()
        assert pushing.service.delivered == []
        assert await pushing.known() == []

    async def test_is_told_nothing_once_all_were_signed_out(self, pushing: Pushing) -> None:
        await pushing.browser("phone")
        await end_all_sessions(pushing.store, pushing.ada)
        await pushing.news()
        await pushing.worker.drain()
        assert pushing.service.delivered == []

    @pytest.mark.parametrize("status", [404, 410])
    async def test_that_is_gone_is_forgotten(self, pushing: Pushing, status: int) -> None:
        await pushing.browser("phone")
        pushing.service.status = status
        await pushing.news()
        await pushing.worker.drain()
        assert await pushing.known() == []
        assert await pushing.waiting() == []

    async def test_that_subscribed_anew_while_it_was_found_gone_is_kept(
        self, pushing: Pushing
    ) -> None:
        await pushing.browser("phone")
        [before] = await pushing.known()
        await pushing.store.write(put(replace(before, endpoint=pushing.service.endpoint("new"))))
        await delete_subscription(pushing.store, before)
        await mark_unreached(pushing.store, pushing.clock(), before)
        [kept] = await pushing.known()
        assert kept.endpoint == pushing.service.endpoint("new")
        assert kept.failing_since is None

    @pytest.mark.parametrize("ahead", SET_BACK)
    async def test_is_counted_anew_after_a_clock_that_was_ahead_is_set_back(
        self, pushing: Pushing, ahead: float
    ) -> None:
        await pushing.browser("phone")
        [known] = await pushing.known()
        await mark_unreached(pushing.store, pushing.clock() + ahead, known)
        [failing] = await pushing.known()
        assert await mark_unreached(pushing.store, pushing.clock(), failing)
        [counted] = await pushing.known()
        assert counted.failing_since == iso(pushing.clock())

    async def test_whose_address_is_in_this_house_s_own_network_is_never_asked(
        self, pushing: Pushing
    ) -> None:
        await Device("https://127.0.0.1/push").signed_in(pushing.store, pushing.clock, pushing.ada)
        await pushing.news()
        await pushing.worker.drain()
        assert await pushing.known() == []


class TestAServiceThatFails:
    @pytest.mark.parametrize("status", [429, 500, 503, HANG])
    async def test_for_a_while_gets_it_later(
        self, pushing: Pushing, status: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if status == HANG:
            monkeypatch.setattr("commonroom.notifications.push.LIMITS", FetchLimits(seconds=0.2))
        phone, _ = await pushing.browser("phone")
        await pushing.browser("desk")
        pushing.service.statuses["phone"] = status
        await pushing.news()
        await pushing.worker.drain()
        assert len(pushing.service.to("desk")) == 1, "one that fails holds no other up"
        assert len(await pushing.waiting()) == 1
        failing = {one.endpoint for one in await pushing.known() if one.failing_since}
        assert failing == {phone.endpoint}
        pushing.service.statuses = {}
        pushing.clock.forward(60)
        await pushing.worker.drain()
        sent = pushing.service.to("phone")[-1]
        assert json.loads(phone.read(sent.body))["title"] == "News"
        assert await pushing.waiting() == []
        assert [one.failing_since for one in await pushing.known()] == [None, None]

    async def test_by_refusing_the_message_is_not_asked_again_for_it(
        self, pushing: Pushing
    ) -> None:
        await pushing.browser("phone")
        pushing.service.status = 413
        await pushing.news()
        await pushing.worker.drain()
        assert await pushing.waiting() == []
        assert len(await pushing.known()) == 1

    async def test_for_a_day_is_asked_once_for_each_and_after_a_week_no_more(
        self, pushing: Pushing
    ) -> None:
        await pushing.browser("phone")
        pushing.service.status = 500
        await pushing.news("1")
        for _ in range(20):
            await pushing.worker.drain()
            pushing.clock.forward(3600)
        pushing.clock.forward(RETRIED_SECONDS)
        await pushing.news("2")
        before = len(pushing.service.delivered)
        await pushing.worker.drain()
        assert len(pushing.service.delivered) == before + 1
        assert await pushing.waiting() == []
        pushing.clock.forward(FORGOTTEN_SECONDS)
        await pushing.news("3")
        await pushing.worker.drain()
        assert await pushing.known() == []

    async def test_changes_nothing_about_what_people_find_in_their_list(
        self, pushing: Pushing
    ) -> None:
        await pushing.browser("phone")
        pushing.service.status = 500
        await pushing.news()
        await pushing.worker.drain()
        assert [one.kind for one in await told(pushing.store, pushing.ada)] == ["news"]


def test_the_key_pair_is_the_same_for_the_same_secret_and_another_for_another(
    tmp_path: Path,
) -> None:
    def public(key: str) -> str:
        settings = Settings(data=tmp_path, secret_key=key)
        return vapid_of(settings, secrets_of(settings)).public

    assert public("a" * 40) == public("a" * 40)
    assert public("a" * 40) != public("b" * 40)
    assert len(public("a" * 40)) == 87, "65 bytes, as browsers want it"


@pytest.mark.parametrize(
    "settings, contact",
    [
        (Settings(public_address="https://home.example"), "https://home.example"),
        (Settings(public_address="http://10.0.0.2"), "mailto:commonroom@localhost.localdomain"),
        (Settings(mail_from="a@home.example"), "mailto:a@home.example"),
    ],
)
def test_push_services_can_ask_somebody(settings: Settings, contact: str, tmp_path: Path) -> None:
    secrets = secrets_of(Settings(data=tmp_path))
    assert vapid_of(settings, secrets).contact == contact


def test_a_push_may_not_take_longer_than_its_consumer_waits() -> None:
    assert LIMITS.seconds < SECONDS
