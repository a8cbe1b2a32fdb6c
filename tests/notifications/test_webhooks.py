"""Webhooks: who may have how many, what their programs get, and what becomes of silent ones."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.sessions import end_all_sessions
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField, NotFound
from commonroom.moments import iso
from commonroom.notifications import Kind, tell, webhooks
from commonroom.notifications.account_cleanup import cleanup_consumer, export_notifications
from commonroom.notifications.channels import SECONDS
from commonroom.notifications.kinds import Words
from commonroom.notifications.tables import Webhook
from commonroom.notifications.webhook_delivery import (
    LIMITS,
    REST_SECONDS,
    WebhookDelivery,
    signature,
)
from commonroom.notifications.webhooks import (
    GIVEN_UP_SECONDS,
    INSTALLATION,
    MAX_WEBHOOKS,
    RETRIED_SECONDS,
    TEST_SECONDS,
    AlreadyTesting,
    TooManyWebhooks,
    list_webhooks,
    secret_of,
)
from commonroom.outgoing.fetcher import Fetcher, FetchLimits
from commonroom.settings import Settings, secrets_of
from commonroom.store import Store, delete, put
from commonroom.store.streams import Worker
from commonroom.store.streams.tables import LastImport, parked_changes
from tests.accounts.people import Watch
from tests.notifications.people import NEWS, person, told
from tests.notifications.push_service import HANG, Delivered, PushService, push_service
from tests.support.clocks import SET_BACK

WORDS = Words("News", "Something happened – says Zoë.")
HOUSE = "https://home.example"
SECRETS = secrets_of(Settings(secret_key="k" * 40))
GIVEN_UP = Kind("given_up", title=lambda facts: f"{facts['name']} is off", text=lambda _: "")


class Hooked:
    """A person with webhooks, and the server that they lead to."""

    def __init__(self, store: Store, clock: Watch, ada: User, server: PushService) -> None:
        self.store = store
        self.clock = clock
        self.ada = ada
        self.server = server
        self.fetcher = Fetcher([server.address])
        delivery = WebhookDelivery(
            self.fetcher,
            SECRETS,
            lambda *_: WORDS,
            house=HOUSE,
            given_up=GIVEN_UP,
            clock=clock,
        )
        self.worker = Worker(store, [delivery.consumer, cleanup_consumer], clock=clock)

    @property
    def ctx(self) -> Context:
        """Ada, now."""
        return Context(self.store, self.ada, self.clock())

    async def hook(self, name: str, owner: str | None = None, slot: int = 0) -> Webhook:
        """A webhook that works and has said hello; its address is on this machine."""
        now = iso(self.clock())
        made = Webhook(
            user_id=owner or self.ada.user_id,
            slot=slot,
            webhook_id=f"id-{name}",
            name=name,
            address=self.server.endpoint(name),
            epoch=self.ada.epoch,
            since=now,
            tested_at=now,
        )
        await self.store.write(put(made))
        await self.worker.drain()
        self.server.delivered.clear()
        return made

    async def news(self, about: str = "1") -> None:
        """Something happens."""
        await tell(
            self.store, self.clock(), [self.ada], NEWS, facts={}, link="/there", id=about, by=None
        )

    async def waiting(self) -> int:
        """How many messages wait for another try."""
        asked = parked_changes(consumer="notify-webhooks")
        return len([one async for one in self.store.all(asked)])

    async def known(self, owner: str | None = None) -> list[Webhook]:
        """The webhooks there are."""
        return await list_webhooks(self.store, owner or self.ada.user_id)


@pytest.fixture
async def hooked(store: Store, clock: Watch, ada: User) -> AsyncIterator[Hooked]:
    """Ada, and a server that is trusted in place of a public one."""
    async with push_service() as running:
        made = Hooked(store, clock, ada, running)
        yield made
        await made.fetcher.close()


def is_signed(sent: Delivered, secret: str) -> bool:
    """Whether a receiver that has the secret takes the message for one from here."""
    headers = sent.headers
    expected = signature(
        secret, headers["webhook-id"], int(headers["webhook-timestamp"]), sent.body
    )
    return headers["webhook-signature"] == expected


class TestMakingOne:
    async def test_needs_a_name_and_a_public_address(self, hooked: Hooked) -> None:
        for address in ("http://a.example", "https://u:p@a.example", "https://a.example:8443", "x"):
            with pytest.raises(InvalidField) as refused:
                await webhooks.make_webhook(hooked.ctx, "ada", name="Lights", address=address)
            assert refused.value.field == "address"
        with pytest.raises(InvalidField):
            await webhooks.make_webhook(hooked.ctx, "ada", name=" ", address="https://a.example")
        assert await hooked.known() == []

    async def test_works_five_times_also_for_many_at_once(self, hooked: Hooked) -> None:
        async def make(number: int) -> Webhook | None:
            try:
                return await webhooks.make_webhook(
                    hooked.ctx, "ada", name=f"Hook {number}", address="https://a.example/hook"
                )
            except TooManyWebhooks:
                return None

        made = [one for one in await asyncio.gather(*map(make, range(MAX_WEBHOOKS + 3))) if one]
        assert len(made) == len(await hooked.known()) == MAX_WEBHOOKS
        assert len({one.webhook_id for one in made}) == MAX_WEBHOOKS

    async def test_is_too_late_for_somebody_who_was_deleted(self, hooked: Hooked) -> None:
        await hooked.store.write(delete(hooked.ada))
        with pytest.raises(NotFound, match="deleted"):
            await webhooks.make_webhook(hooked.ctx, "ada", name="H", address="https://a.example")
        assert await hooked.known() == []

    async def test_says_hello_at_once_and_whenever_it_is_tested(self, hooked: Hooked) -> None:
        hook = await hooked.hook("lights")
        with pytest.raises(AlreadyTesting):
            await webhooks.request_test(hooked.ctx, "ada", hook.webhook_id)
        hooked.clock.forward(TEST_SECONDS)
        await webhooks.request_test(hooked.ctx, "ada", hook.webhook_id)
        await hooked.worker.drain()
        [sent] = hooked.server.to("lights")
        assert json.loads(sent.body)["type"] == "test"
        assert is_signed(sent, secret_of(SECRETS, hook))

    async def test_says_nothing_when_an_import_brings_it_along(self, hooked: Hooked) -> None:
        hook = await hooked.hook("lights")
        await hooked.store.write(delete(hook))
        hooked.clock.forward(TEST_SECONDS)
        await hooked.store.write(put(LastImport(imported_at=hooked.clock())), put(hook))
        await hooked.worker.drain()
        assert hooked.server.delivered == []
        hooked.clock.forward(1)
        await webhooks.request_test(hooked.ctx, "ada", hook.webhook_id)
        await hooked.worker.drain()
        assert len(hooked.server.to("lights")) == 1

    @pytest.mark.parametrize("ahead", SET_BACK)
    async def test_lets_it_be_tested_after_a_clock_that_was_ahead_is_set_back(
        self, hooked: Hooked, ahead: float
    ) -> None:
        hooked.clock.forward(ahead)
        hook = await hooked.hook("lights")
        hooked.clock.forward(-ahead)
        tried = await webhooks.request_test(hooked.ctx, "ada", hook.webhook_id)
        assert [one.tested_at for one in await hooked.known()] == [tried.tested_at]

    async def test_and_deleting_it_is_for_its_owner_alone(self, hooked: Hooked) -> None:
        hook = await hooked.hook("lights")
        ben = Context(hooked.store, await person(hooked.store, "Ben"), hooked.clock())
        for deed in (webhooks.delete_webhook, webhooks.request_test):
            with pytest.raises(NotFound):
                await deed(ben, "ben", hook.webhook_id)
        await webhooks.delete_webhook(hooked.ctx, "ada", hook.webhook_id)
        await hooked.news()
        await hooked.worker.drain()
        assert hooked.server.delivered == []


class TestAMessage:
    async def test_says_what_happened_and_is_signed_for_each(self, hooked: Hooked) -> None:
        lights, chat = await hooked.hook("lights"), await hooked.hook("chat", slot=1)
        await hooked.news()
        await hooked.worker.drain()
        [sent], [other] = hooked.server.to("lights"), hooked.server.to("chat")
        [stored] = await told(hooked.store, hooked.ada)
        assert json.loads(sent.body) == {
            "type": "news",
            "timestamp": stored.made_at,
            "data": {
                "notification_id": stored.notification_id,
                "person_id": "ada",
                "title": "News",
                "text": "Something happened – says Zoë.",
                "address": "https://home.example/there",
            },
        }
        assert is_signed(sent, secret_of(SECRETS, lights))
        assert is_signed(other, secret_of(SECRETS, chat))
        assert not is_signed(sent, secret_of(SECRETS, chat))
        assert sent.headers["webhook-id"] != other.headers["webhook-id"]

    async def test_to_the_house_says_what_kind_of_thing_it_was_and_nothing_more(
        self, hooked: Hooked
    ) -> None:
        await hooked.hook("house", INSTALLATION)
        await hooked.news()
        await hooked.worker.drain()
        [sent] = hooked.server.to("house")
        message = json.loads(sent.body)
        assert (message["type"], message["data"]) == ("news", {})
        assert b"ada" not in sent.body

    async def test_never_goes_to_this_house_s_own_network(self, hooked: Hooked) -> None:
        hook = await hooked.hook("lights")
        await hooked.store.write(put(replace(hook, address="https://127.0.0.1/hook")))
        await hooked.news()
        await hooked.worker.drain()
        [known] = await hooked.known()
        assert known.problem is not None
        assert hooked.server.delivered == []

    async def test_goes_nowhere_once_one_has_signed_out_everywhere(self, hooked: Hooked) -> None:
        await hooked.hook("lights")
        await end_all_sessions(hooked.store, hooked.ada)
        await hooked.news()
        await hooked.worker.drain()
        assert hooked.server.delivered == []


class TestAServerThatFails:
    @pytest.mark.parametrize("status", [404, 500, HANG])
    async def test_gets_it_later_and_the_others_not_twice(
        self, hooked: Hooked, status: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if status == HANG:
            monkeypatch.setattr(
                "commonroom.notifications.webhook_delivery.LIMITS", FetchLimits(seconds=2.0)
            )
        await hooked.hook("lights")
        await hooked.hook("chat", slot=1)
        hooked.server.statuses["lights"] = status
        await hooked.news()
        await hooked.worker.drain()
        assert await hooked.waiting() > 0
        assert [one.name for one in await hooked.known() if one.problem] == ["lights"]
        hooked.server.statuses = {}
        hooked.clock.forward(60)
        await hooked.worker.drain()
        assert await hooked.waiting() == 0
        first, second = hooked.server.to("lights")
        assert first.headers["webhook-id"] == second.headers["webhook-id"], "the same message"
        assert len(hooked.server.to("chat")) == 1
        assert [one.problem for one in await hooked.known()] == [None, None]

    async def test_is_waited_for_once_a_minute_so_that_the_others_need_not_wait(
        self, hooked: Hooked, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            "commonroom.notifications.webhook_delivery.LIMITS", FetchLimits(seconds=2.0)
        )
        await hooked.hook("lights")
        await hooked.hook("chat", slot=1)
        hooked.server.statuses["lights"] = HANG
        for about in "123":
            await hooked.news(about)
        await hooked.worker.drain()
        assert len(hooked.server.to("lights")) == 1
        assert len(hooked.server.to("chat")) == 3
        hooked.server.statuses = {}
        hooked.clock.forward(REST_SECONDS)
        await hooked.worker.drain()
        assert len(hooked.server.to("lights")) == 4
        assert len(hooked.server.to("chat")) == 3
        assert await hooked.waiting() == 0

    async def test_that_hangs_for_a_day_leaves_nothing_waiting(
        self, hooked: Hooked, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            "commonroom.notifications.webhook_delivery.LIMITS", FetchLimits(seconds=1.0)
        )
        await hooked.hook("lights")
        hooked.server.status = HANG
        await hooked.news("1")
        await hooked.worker.drain()
        hooked.clock.forward(2 * RETRIED_SECONDS)
        await hooked.worker.drain()
        hooked.clock.forward(REST_SECONDS)
        before = len(hooked.server.delivered)
        for about in "23":
            await hooked.news(about)
        await hooked.worker.drain()
        assert len(hooked.server.delivered) == before + 1, "it is left alone after the first"
        assert await hooked.waiting() == 0

    async def test_for_a_day_is_tried_once_for_each_and_after_a_week_no_more(
        self, hooked: Hooked
    ) -> None:
        hook = await hooked.hook("lights")
        hooked.server.status = 500
        await hooked.news("1")
        for _ in range(20):
            await hooked.worker.drain()
            hooked.clock.forward(3600)
        hooked.clock.forward(RETRIED_SECONDS)
        before = len(hooked.server.delivered)
        await hooked.news("2")
        await hooked.worker.drain()
        assert len(hooked.server.delivered) == before + 1
        assert await hooked.waiting() == 0
        hooked.clock.forward(GIVEN_UP_SECONDS)
        await hooked.news("3")
        await hooked.worker.drain()
        assert "given_up" in {one.kind for one in await told(hooked.store, hooked.ada)}
        before = len(hooked.server.delivered)
        await hooked.news("4")
        await hooked.worker.drain()
        assert len(hooked.server.delivered) == before
        hooked.server.status = 200
        await webhooks.request_test(hooked.ctx, "ada", hook.webhook_id)
        await hooked.news("5")
        await hooked.worker.drain()
        assert len(hooked.server.delivered) == before + 2, "the test, and what came after it"

    @pytest.mark.parametrize("ahead", SET_BACK)
    async def test_is_counted_anew_after_a_clock_that_was_ahead_is_set_back(
        self, hooked: Hooked, ahead: float
    ) -> None:
        hook = replace(await hooked.hook("lights"), failing_since=iso(hooked.clock() + ahead))
        assert await webhooks.mark_failed(hooked.store, hooked.clock(), hook, "No.") == "later"
        [known] = await hooked.known()
        assert known.failing_since == iso(hooked.clock())

    def test_is_not_waited_for_longer_than_the_consumer_has(self) -> None:
        assert LIMITS.seconds < SECONDS


class TestWhoeverLeaves:
    async def test_takes_their_webhooks_along(self, hooked: Hooked) -> None:
        await hooked.hook("lights")
        await hooked.hook("house", INSTALLATION)
        await hooked.store.write(delete(hooked.ada))
        await hooked.worker.drain()
        assert await hooked.known() == []
        assert len(await hooked.known(INSTALLATION)) == 1

    async def test_finds_them_in_their_data(self, hooked: Hooked) -> None:
        hook = await hooked.hook("lights")
        exported = await export_notifications(hooked.store, hooked.ada)
        assert [one["address"] for one in exported["webhooks"]] == [hook.address]


def test_the_secret_is_another_for_each_webhook_and_each_house(ada_hook: Webhook) -> None:
    other = secrets_of(Settings(secret_key="o" * 40))
    assert secret_of(SECRETS, ada_hook) == secret_of(SECRETS, ada_hook)
    assert secret_of(SECRETS, ada_hook) != secret_of(other, ada_hook)


@pytest.fixture
def ada_hook() -> Webhook:
    """A webhook that is nowhere stored."""
    return Webhook(
        user_id="ada",
        slot=0,
        webhook_id="1",
        name="Lights",
        address="https://a.example",
        epoch=0,
        since=iso(0),
        tested_at=iso(0),
    )
