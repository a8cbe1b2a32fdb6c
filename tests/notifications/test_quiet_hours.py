"""In quiet hours push and e-mail wait; what is settled by then is not sent."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from zoneinfo import ZoneInfo

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.notifications import Kind, Words, tell
from commonroom.notifications.channels import SEND, channel_consumer, sending_handler
from commonroom.notifications.notifications import notification_id, resolve
from commonroom.notifications.preferences import ChannelName
from commonroom.notifications.reading import read
from commonroom.notifications.tables import Notification
from commonroom.store import Store, update
from commonroom.store.streams import Worker
from commonroom.timers import Scheduler
from tests.accounts.people import Watch
from tests.notifications.people import FACTS, LINK, NEWS, ROUND, person, told

SECURITY = Kind("security", title=lambda _: "", text=lambda _: "", passes_quiet_hours=True)
KINDS = {kind.name: kind for kind in (NEWS, ROUND, SECURITY)}
# Far ahead: a database forgets by its own clock what is past.
NIGHT = datetime(2036, 5, 1, 23, 30, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()
MORNING = datetime(2036, 5, 2, 7, 0, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()


class Bell:
    """A channel that remembers what it sent, or fails."""

    name = "push"
    follows: ClassVar[ChannelName] = "push"
    is_quiet: ClassVar[bool] = False

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.fails = False

    async def send(
        self, store: Store, notification: Notification, person: User, words: Words
    ) -> None:
        if self.fails:
            raise RuntimeError("no luck")
        self.sent.append(notification.kind)


class Silent(Bell):
    """One that disturbs nobody, such as a program's."""

    name = "hook"
    follows: ClassVar[ChannelName] = "list"
    is_quiet: ClassVar[bool] = True


class Night:
    """A night with somebody who wants quiet."""

    def __init__(self, store: Store, clock: Watch, ada: User, bell: Bell) -> None:
        self.store, self.clock, self.ada, self.bell = store, clock, ada, bell
        clock.now = NIGHT
        send = sending_handler([bell], KINDS)
        self.scheduler = Scheduler(store, {SEND: send}, clock=clock)
        consumer = channel_consumer(bell, KINDS, clock)
        self.worker = Worker(store, [consumer], clock=clock)

    async def tell(self, kind: Kind = NEWS) -> None:
        """Something happens in the night."""
        told = await tell(
            self.store, self.clock(), [self.ada], kind, facts=FACTS, link=LINK, id="1", by=None
        )
        assert told == 1
        await self.worker.drain()

    async def morning(self) -> list[str]:
        """What is sent when it is over."""
        self.clock.now = MORNING - 1
        await self.scheduler.once()
        assert self.bell.sent == []
        self.clock.now = MORNING
        await self.scheduler.once()
        return self.bell.sent


async def sleeper(store: Store) -> User:
    return await person(
        store, "Ada", time_zone="Europe/Berlin", quiet_from="22:00", quiet_until="07:00"
    )


@pytest.fixture
async def night(store: Store, clock: Watch) -> Night:
    """Ada's night."""
    return Night(store, clock, await sleeper(store), Bell())


async def test_what_is_told_waits_until_morning_and_is_in_the_list_at_once(
    either: Store, clock: Watch
) -> None:
    night = Night(either, clock, await sleeper(either), Bell())
    await night.tell()
    assert len(await told(either, night.ada)) == 1
    assert night.bell.sent == []
    assert await night.morning() == ["news"]
    await night.scheduler.once()
    assert night.bell.sent == ["news"], "once"


async def test_what_was_read_or_resolved_meanwhile_is_not_sent(night: Night) -> None:
    await night.tell()
    await read(Context(night.store, night.ada, night.clock()), notification_id(NEWS, "1"))
    await night.tell(ROUND)
    await resolve(night.store, night.clock(), ["ada"], ROUND, "1")
    assert await night.morning() == []


async def test_what_is_about_security_passes(night: Night) -> None:
    await night.tell(SECURITY)
    assert night.bell.sent == ["security"]


async def test_what_disturbs_nobody_does_not_wait(store: Store, clock: Watch) -> None:
    night = Night(store, clock, await sleeper(store), Silent())
    await night.tell()
    assert night.bell.sent == ["news"]


async def test_who_turned_it_off_meanwhile_is_not_sent_it(night: Night) -> None:
    await night.tell(ROUND)
    await night.store.write(update(night.ada.ref, notification_prefs={"new_round": False}))
    assert await night.morning() == []


async def test_who_sleeps_longer_is_told_later(night: Night) -> None:
    await night.tell()
    await night.store.write(update(night.ada.ref, quiet_until="09:00"))
    assert await night.morning() == []
    night.clock.now = MORNING + 2 * 3600
    await night.scheduler.once()
    assert night.bell.sent == ["news"]


async def test_what_fails_in_the_morning_is_tried_again(night: Night) -> None:
    await night.tell()
    night.bell.fails = True
    assert await night.morning() == []
    night.bell.fails = False
    night.clock.forward(60)
    await night.scheduler.once()
    assert night.bell.sent == ["news"]


async def test_by_day_nothing_waits(night: Night) -> None:
    night.clock.now = MORNING + 3600
    await night.tell()
    assert night.bell.sent == ["news"]
