"""Letters go to people's addresses where there is a mail server; what fails is retried."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from commonroom.accounts.tables import User
from commonroom.notify import tell
from commonroom.notify.channels import channel_consumer
from commonroom.notify.kinds import Words
from commonroom.notify.mail import MailChannel
from commonroom.notify.notifications import notification_id
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.streams import Worker
from commonroom.store.streams.tables import parked_changes
from tests.accounts.people import Watch
from tests.notify.people import NEWS, person
from tests.support.mail import Mailbox, mailbox

WORDS = Words("News for Zoë", "Something happened.")


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    """A mail server."""
    async with mailbox() as running:
        yield running


def worker(store: Store, clock: Watch, box: Mailbox, public_address: str = "") -> Worker:
    settings = Settings(mail_server=box.address, mail_from="house@home.example")
    channel = MailChannel(mailer_of(settings), public_address, lambda _: "No more of these?")
    return Worker(store, [channel_consumer(channel, lambda *_: WORDS, clock)], clock=clock)


async def news(store: Store, clock: Watch, *people: User) -> None:
    await tell(store, clock(), people, NEWS, facts={}, link="/", id="1")


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
        "-- \nNo more of these?\n"
    )


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
