"""Every channel follows for itself what people are told, and one never holds another up."""

from __future__ import annotations

import time

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notify import Words, tell
from commonroom.notify.account_cleanup import cleanup_consumer, export_notifications
from commonroom.notify.channels import RETRY_POLICY, channel_consumer
from commonroom.notify.push_subscriptions import active_subscriptions
from commonroom.notify.tables import Notification, kept_for_person
from commonroom.store import Store, delete, update
from commonroom.store.streams import Worker
from commonroom.store.streams.tables import dead_letters
from tests.accounts.people import Watch
from tests.notify.people import FACTS, NEWS, Device, person, told


class Remembered:
    """A channel that remembers what it sent, or fails."""

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


def wording(notification: Notification, person: User) -> Words:
    return Words(f"{notification.kind} for {person.display_name}", "")


class TestChannels:
    async def test_one_that_fails_holds_no_other_up_and_is_set_aside_in_the_end(
        self, either: Store, clock: Watch
    ) -> None:
        ada = await person(either, "Ada")
        good, bad = Remembered("good"), Remembered("bad", fails=True)
        both = [channel_consumer(one, wording, clock) for one in (bad, good)]
        worker = Worker(either, both, clock=clock)
        await tell(either, clock(), [ada], NEWS, facts=FACTS, link="/", id="1")
        for _ in range(RETRY_POLICY.max_attempts):
            await worker.drain()
            clock.forward(RETRY_POLICY.longest_delay)
        assert good.sent == [("Ada", "news for Ada")]
        aside = [one async for one in either.all(dead_letters(consumer="notify-bad"))]
        assert [one.error for one in aside] == ["RuntimeError: no luck"]

    async def test_tell_nobody_who_was_disabled_or_deleted_meanwhile(
        self, store: Store, clock: Watch
    ) -> None:
        dan, eve = await person(store, "Dan"), await person(store, "Eve")
        await tell(store, clock(), [dan, eve], NEWS, facts={}, link="/", id="1")
        await store.write(update(dan.ref, disabled_at=iso(clock())), delete(eve))
        channel = Remembered("any")
        await Worker(store, [channel_consumer(channel, wording, clock)], clock=clock).drain()
        assert channel.sent == []


class TestLeaving:
    async def test_takes_notifications_and_browsers_along(
        self, either: Store, clock: Watch
    ) -> None:
        clock.now = time.time()  # a database tells the time of a change by its own clock
        ada, ben = await person(either, "Ada"), await person(either, "Ben")
        for number in range(120):
            await tell(either, clock(), [ada, ben], NEWS, facts=FACTS, link="/", id=str(number))
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
        await tell(store, clock(), [back], NEWS, facts={}, link="/", id="1")
        await Worker(store, [cleanup_consumer], clock=clock).drain()
        assert len(await told(store, back)) == 1


async def test_a_person_can_take_along_what_is_kept_without_anybody_s_keys(
    store: Store, ada: User, clock: Watch
) -> None:
    await tell(store, clock(), [ada], NEWS, facts={"what": "x"}, link="/", id="1")
    await Device("https://push.example/secret").signed_in(store, clock, ada)
    assert await export_notifications(store, ada) == {
        "told": [
            {"kind": "news", "facts": {"what": "x"}, "made_at": iso(clock()), "read_at": None}
        ],
        "browsers": [{"browser": "Firefox", "since": iso(clock())}],
    }
