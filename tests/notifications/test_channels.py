"""Every channel follows for itself what people are told, and one never holds another up; e-mail."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import ClassVar

import pytest

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notifications import Words, tell
from commonroom.notifications.account_cleanup import cleanup_consumer, export_notifications
from commonroom.notifications.channels import RETRY_POLICY, MailChannel, channel_consumer
from commonroom.notifications.notifications import notification_id
from commonroom.notifications.preferences import ChannelName
from commonroom.notifications.push_subscriptions import active_subscriptions
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.notifications.wording import email_footer
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings
from commonroom.store import Store, delete, put, update
from commonroom.store.streams import Worker
from commonroom.store.streams.tables import LastImport, dead_letters, parked_changes
from tests.accounts.people import Watch
from tests.notifications.people import FACTS, NEWS, Device, person, saying, told
from tests.support.mail import Mailbox, mailbox


class Remembered:
    """A channel that remembers what it sent, or fails."""

    follows: ClassVar[ChannelName] = "push"
    is_quiet: ClassVar[bool] = False

    def __init__(self, name: str, *, fails: bool = False) -> None:
        self.name = name
        self.fails = fails
        self.sent: list[tuple[str, str]] = []

    async def send(
        self, store: Store, notification: Notification, person: User, words: Words
    ) -> None:
        if self.fails:
            raise RuntimeError("no luck")
        self.sent.append((person.display_name, words.title))


KINDS = {NEWS.name: NEWS}


class TestChannels:
    async def test_one_that_fails_holds_no_other_up_and_is_set_aside_in_the_end(
        self, either: Store, clock: Watch
    ) -> None:
        ada = await person(either, "Ada")
        good, bad = Remembered("good"), Remembered("bad", fails=True)
        both = [channel_consumer(one, KINDS, clock) for one in (bad, good)]
        worker = Worker(either, both, clock=clock)
        await tell(either, clock(), [ada], NEWS, facts=FACTS, link="/", id="1", by=None)
        for _ in range(RETRY_POLICY.max_attempts):
            await worker.drain()
            clock.forward(RETRY_POLICY.longest_delay)
        assert good.sent == [("Ada", "News")]
        aside = [one async for one in either.all(dead_letters(consumer="notify-bad"))]
        assert [one.error for one in aside] == ["RuntimeError: no luck"]

    async def test_tell_nobody_who_was_disabled_or_deleted_meanwhile(
        self, store: Store, clock: Watch
    ) -> None:
        dan, eve = await person(store, "Dan"), await person(store, "Eve")
        await tell(store, clock(), [dan, eve], NEWS, facts={}, link="/", id="1", by=None)
        await store.write(update(dan.ref, disabled_at=iso(clock())), delete(eve))
        channel = Remembered("any")
        await Worker(store, [channel_consumer(channel, KINDS, clock)], clock=clock).drain()
        assert channel.sent == []


class TestLeaving:
    async def test_takes_notifications_and_browsers_along(
        self, either: Store, clock: Watch
    ) -> None:
        clock.now = time.time()  # a database tells the time of a change by its own clock
        ada, ben = await person(either, "Ada"), await person(either, "Ben")
        for number in range(120):
            await tell(
                either, clock(), [ada, ben], NEWS, facts=FACTS, link="/", id=str(number), by=None
            )
        await Device("https://push.example/1").signed_in(either, clock, ada)
        worker = Worker(either, [cleanup_consumer], clock=clock)
        await worker.drain()
        assert len(await active_subscriptions(either, ada)) == 1, "nobody left yet"
        await either.write(delete(ada))
        await worker.drain()
        assert (await either.page(kept_for_person(user_id="ada"))).items == []
        assert len(await told(either, ben)) == 100

    async def test_leaves_what_somebody_got_who_came_back_under_the_same_name(
        self, store: Store, clock: Watch
    ) -> None:
        ada = await person(store, "Ada")
        await store.write(delete(ada))
        clock.forward(3600)
        back = await person(store, "Ada")
        await tell(store, clock(), [back], NEWS, facts={}, link="/", id="1", by=None)
        await Worker(store, [cleanup_consumer], clock=clock).drain()
        assert len(await told(store, back)) == 1


async def test_a_person_can_take_along_what_is_kept_without_anybody_s_keys(
    store: Store, ada: User, clock: Watch
) -> None:
    await tell(store, clock(), [ada], NEWS, facts={"what": "x"}, link="/", id="1", by=None)
    await Device("https://push.example/secret").signed_in(store, clock, ada)
    assert await export_notifications(store, ada) == {
        "told": [
            {"kind": "news", "facts": {"what": "x"}, "made_at": iso(clock()), "read_at": None}
        ],
        "browsers": [{"browser": "Firefox", "since": iso(clock())}],
        "webhooks": [],
        "digest_until": None,
    }


WORDS = Words("News for Zoë", "Something happened.")


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    """A mail server."""
    async with mailbox() as running:
        yield running


def worker(store: Store, clock: Watch, box: Mailbox, public_address: str = "") -> Worker:
    settings = Settings(mail_server=box.address, mail_from="house@home.example")
    channel = MailChannel(mailer_of(settings), public_address)
    return Worker(store, [channel_consumer(channel, saying(WORDS), clock)], clock=clock)


async def news(store: Store, clock: Watch, *people: User) -> None:
    await tell(store, clock(), people, NEWS, facts={}, link="/", id="1", by=None)


async def waiting(store: Store) -> list[str]:
    return [one.error async for one in store.all(parked_changes(consumer="notify-mail"))]


async def test_a_letter_says_what_happened_where_to_read_on_and_how_to_stop_it(
    store: Store, ada: User, clock: Watch, box: Mailbox
) -> None:
    await news(store, clock, ada)
    await worker(store, clock, box, "https://home.example").drain()
    [letter] = box.to("ada@example.org")
    assert letter["Subject"] == "News for Zoë"
    assert letter.get_content().replace("\r\n", "\n") == (
        "Something happened.\n\n"
        f"https://home.example/notifications/{notification_id(NEWS, '1')}\n\n"
        f"-- \n{email_footer(ada)}\n"
    )


async def test_what_an_import_brought_along_is_not_sent_a_second_time(
    either: Store, clock: Watch, box: Mailbox
) -> None:
    ada = await person(either, "Ada")
    await tell(either, clock(), [ada], NEWS, facts={}, link="/", id="imported", by=None)
    await either.write(put(LastImport(imported_at=clock() + 1)))
    await worker(either, clock, box).drain()
    assert box.letters == []
    clock.forward(60)
    await news(either, clock, ada)
    await worker(either, clock, box).drain()
    assert len(box.letters) == 1


async def test_without_a_public_address_there_is_no_link(
    store: Store, ada: User, clock: Watch, box: Mailbox
) -> None:
    await news(store, clock, ada)
    await worker(store, clock, box).drain()
    [letter] = box.to("ada@example.org")
    assert "/notifications/" not in letter.get_content()


async def test_who_has_no_address_of_their_own_gets_none(
    store: Store, clock: Watch, box: Mailbox
) -> None:
    nowhere = await person(store, "Ben", email=None)
    unconfirmed = await person(store, "Eve", email_confirmed_at=None)
    await news(store, clock, nowhere, unconfirmed)
    await worker(store, clock, box).drain()
    assert box.letters == []
    assert await waiting(store) == []


async def test_a_server_that_is_busy_gets_it_later(
    store: Store, ada: User, clock: Watch, box: Mailbox
) -> None:
    box.refusals["RCPT"] = "451 Later"
    await news(store, clock, ada)
    following = worker(store, clock, box)
    await following.drain()
    [why] = await waiting(store)
    assert "(451)" in why
    assert "ada@" not in why
    box.refusals = {}
    clock.forward(60)
    await following.drain()
    assert len(box.letters) == 1
    assert await waiting(store) == []


async def test_an_address_that_is_refused_for_good_is_not_tried_again(
    store: Store, ada: User, clock: Watch, box: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    box.refusals["RCPT"] = "550 Nobody here"
    await news(store, clock, ada)
    await worker(store, clock, box).drain()
    assert await waiting(store) == []
    [said] = [one.getMessage() for one in caplog.records if one.name.startswith("commonroom.")]
    assert said.startswith("Not sent by mail, for good")
    assert "ada@" not in said
