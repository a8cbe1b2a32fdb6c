"""After an import, timers that were past by then do their work, and nobody gets a burst of it."""

from __future__ import annotations

from typing import ClassVar

import pytest

from commonroom.accounts.tables import User
from commonroom.notifications import Words, tell
from commonroom.notifications.channels import SEND, channel_consumer, sending_handler
from commonroom.notifications.imported import quiet_after_import
from commonroom.notifications.notifications import notification_id
from commonroom.notifications.preferences import ChannelName
from commonroom.notifications.tables import Notification
from commonroom.store import Store, put
from commonroom.store.streams import Worker
from commonroom.store.streams.tables import LastImport
from commonroom.timers import Scheduler, Timer, timer
from tests.accounts.people import Watch
from tests.notifications.people import NEWS, told

REMIND, REMINDERS = "remind", 30


class Bell:
    """A channel that remembers what it sent."""

    name = "push"
    follows: ClassVar[ChannelName] = "push"
    is_quiet: ClassVar[bool] = False

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send(
        self, store: Store, notification: Notification, person: User, words: Words
    ) -> None:
        self.sent.append(notification.notification_id)


KINDS = {NEWS.name: NEWS}


class House:
    """Somebody with reminders, and what brings them."""

    def __init__(self, store: Store, clock: Watch, ada: User) -> None:
        self.store, self.clock, self.ada, self.bell = store, clock, ada, Bell()
        send = sending_handler([self.bell], KINDS)
        handlers = {REMIND: self.remind, SEND: send}
        quiet = {kind: quiet_after_import(one) for kind, one in handlers.items()}
        self._scheduler = Scheduler(store, quiet, clock=clock)
        self._worker = Worker(store, [channel_consumer(self.bell, KINDS, clock)], clock=clock)

    async def remind(self, store: Store, waited: Timer, now: float) -> None:
        """What a room does at a moment."""
        ada = await store.get(self.ada.ref)
        assert ada is not None
        name = waited.about["name"]
        await tell(store, now, [ada], NEWS, facts={}, link="/", id=name, by=None)

    async def set(self, *names: str, at: float) -> None:
        for name in names:
            await self.store.write(put(timer(REMIND, at, {"name": name})))

    async def run(self) -> None:
        while await self._scheduler.once():
            pass
        await self._worker.drain()


@pytest.fixture
def house(either: Store, clock: Watch, ada: User) -> House:
    return House(either, clock, ada)


@pytest.fixture
def store(either: Store) -> Store:
    return either


async def imported(house: House) -> None:
    """Data has just arrived."""
    await house.store.write(put(LastImport(imported_at=house.clock())))
    house.clock.forward(60)


async def test_what_was_past_is_listed_and_not_sent(house: House) -> None:
    await house.set(*map(str, range(REMINDERS)), at=house.clock() - 86_400)
    await imported(house)
    await house.run()
    assert house.bell.sent == []
    assert len(await told(house.store, house.ada)) == REMINDERS


async def test_what_is_due_later_is_sent(house: House) -> None:
    await house.set("later", at=house.clock() + 30)
    await imported(house)
    await house.run()
    assert house.bell.sent == [notification_id(NEWS, "later")]


async def test_without_an_import_what_is_late_is_sent(house: House) -> None:
    await house.set("late", at=house.clock() - 86_400)
    await house.run()
    assert len(house.bell.sent) == 1


async def test_an_import_of_a_clock_that_was_ahead_counts_as_none(house: House) -> None:
    await house.set("late", at=house.clock() - 60)
    await house.store.write(put(LastImport(imported_at=house.clock() + 86_400)))
    await house.run()
    assert len(house.bell.sent) == 1


async def test_what_waited_for_quiet_hours_that_were_over_is_not_sent(house: House) -> None:
    await house.remind(house.store, timer(REMIND, 0.0, {"name": "waits"}), house.clock())
    about = {
        "channel": "push",
        "user_id": house.ada.user_id,
        "notification_id": notification_id(NEWS, "waits"),
    }
    await house.store.write(put(timer(SEND, house.clock() - 60, about)))
    await imported(house)
    await house.run()
    assert house.bell.sent == []
