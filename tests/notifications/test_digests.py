"""The digest: one e-mail a day with what is new and unread, at a time of one's own."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.notifications import Kind, tell
from commonroom.notifications.account_cleanup import cleanup_consumer
from commonroom.notifications.digests import SEND_DIGEST, Digests, digest_consumer
from commonroom.notifications.notifications import notification_id, resolve
from commonroom.notifications.preferences import NotificationSettings, save_settings
from commonroom.notifications.reading import read
from commonroom.notifications.tables import kept_for_person
from commonroom.notifications.wording import email_footer
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings
from commonroom.store import Store, delete, put, update
from commonroom.store.streams import Worker
from commonroom.store.streams.tables import LastImport
from commonroom.timers import Scheduler, Timer
from commonroom.timers.scheduler import WAITING_BY_BUCKET
from tests.accounts.people import Watch
from tests.notifications.people import FACTS, NEWS, ROUND, person
from tests.support.clocks import SET_BACK
from tests.support.mail import Mailbox, mailbox

BERLIN = ZoneInfo("Europe/Berlin")
KINDS = {kind.name: kind for kind in (NEWS, ROUND)}
DAY = 24 * 3600
ONE = "Your day in Commonroom: 1 thing"


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp()


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    """A mail server."""
    async with mailbox() as running:
        yield running


class Morning:
    """Somebody who has a digest of rounds at eight, and what brings it."""

    def __init__(self, store: Store, clock: Watch, box: Mailbox, *, sends: bool = True) -> None:
        self.store, self.clock, self.box = store, clock, box
        settings = Settings(mail_server=box.address, mail_from="house@home.example")
        digests = Digests(
            mailer_of(settings if sends else Settings()),
            KINDS,
            "https://home.example",
        )
        self.scheduler = Scheduler(store, {SEND_DIGEST: digests.send_due}, clock=clock)
        self.worker = Worker(store, [digest_consumer, cleanup_consumer], clock=clock)

    async def someone(self, name: str = "Ada", *, now: float | None = None) -> User:
        """A person who chooses the digest, in the evening before unless told otherwise."""
        self.clock.now = now or at("2026-03-27T20:00")
        made = await person(self.store, name, time_zone="Europe/Berlin")
        await self.worker.drain()
        return await self.choose(made)

    async def choose(self, user: User, clock: str = "08:00", *, digest: bool = True) -> User:
        """Chooses the digest or nothing, at a time."""
        channels = frozenset({"list", "digest"} if digest else {"list"})
        chosen = NotificationSettings({"new_round": channels}, digest_time=clock)  # type: ignore[dict-item] # they are channels
        await save_settings(Context(self.store, user, self.clock()), chosen)
        return await self.again(user)

    async def again(self, user: User) -> User:
        """A person as they are stored now, and what follows from that."""
        await self.worker.drain()
        found = await self.store.get(user.ref)
        assert found is not None
        return found

    async def tell(self, user: User, about: str, kind: Kind = ROUND, link: str = "") -> None:
        """Something happens."""
        link = link or f"/rounds/{about}"
        told = await tell(
            self.store, self.clock(), [user], kind, facts=FACTS, link=link, id=about, by=None
        )
        assert told == 1

    async def until(self, moment: str) -> list[str]:
        """Lets time pass; the subjects of what came meanwhile."""
        before = len(self.box.letters)
        self.clock.now = at(moment)
        while await self.scheduler.once():
            pass
        return [one["Subject"] for one in self.box.letters[before:]]

    async def timers(self) -> list[Timer]:
        """What waits."""
        return (await self.store.merged(WAITING_BY_BUCKET, limit=10)).items


async def test_it_says_what_is_new_by_thing_with_links(
    either: Store, clock: Watch, box: Mailbox
) -> None:
    morning = Morning(either, clock, box)
    # Changes have the moment of the engine, which is the machine's own in DynamoDB.
    ada = await morning.someone(now=time.time())
    await morning.tell(ada, "1", link="/rounds/1")
    clock.forward(60)
    await morning.tell(ada, "2", link="/rounds/1#votes")
    clock.forward(60)
    await morning.tell(ada, "3", link="/rounds/3")
    [waiting] = await morning.timers()
    clock.now = max(waiting.moment, clock() + 1000)
    assert await morning.scheduler.once() == 1
    [letter] = box.to("ada@example.org")
    assert letter["Subject"] == "Your day in Commonroom: 2 things"
    assert letter.get_content().replace("\r\n", "\n") == (
        f"* Ada wants to watch a film\n  Vote in The Foxes.\n  https://home.example/notifications/"
        f"{notification_id(ROUND, '3')}\n\n"
        "* Ada wants to watch a film\n  Vote in The Foxes. · and 1 more\n"
        "  https://home.example/notifications/"
        f"{notification_id(ROUND, '2')}\n\n"
        f"-- \n{email_footer(ada)}\n"
    )


async def test_it_comes_once_a_day_by_the_clock_on_the_wall(
    store: Store, clock: Watch, box: Mailbox
) -> None:
    morning = Morning(store, clock, box)
    ada = await morning.someone()
    await morning.tell(ada, "1")
    assert await morning.until("2026-03-28T08:01") == [ONE]
    clock.now = at("2026-03-28T12:00")
    await morning.tell(ada, "2")
    # The clocks go forward in this night.
    assert await morning.until("2026-03-29T07:59") == []
    assert await morning.until("2026-03-29T08:00") == [ONE], "only what is new since"
    assert await morning.until("2026-03-30T08:00") == [], "nothing to say, no letter"
    assert len(await morning.timers()) == 1


async def test_what_is_read_or_resolved_by_then_or_not_wanted_here_is_left_out(
    store: Store, clock: Watch, box: Mailbox
) -> None:
    morning = Morning(store, clock, box)
    ada = await morning.someone()
    for about in ("read", "resolved", "new"):
        await morning.tell(ada, about)
    await morning.tell(ada, "other kind", NEWS)
    await read(Context(store, ada, clock()), notification_id(ROUND, "read"))
    await resolve(store, clock(), ["ada"], ROUND, "resolved")
    assert await morning.until("2026-03-28T08:00") == [ONE]


async def test_what_is_told_while_it_is_written_is_in_the_next_one(
    store: Store, clock: Watch, box: Mailbox
) -> None:
    morning = Morning(store, clock, box)
    ada = await morning.someone()
    clock.now = at("2026-03-28T07:59")
    await morning.tell(ada, "late")
    assert await morning.until("2026-03-28T08:00") == []
    assert await morning.until("2026-03-29T08:00") == [ONE]


async def test_a_server_that_is_away_gets_it_later_and_once(
    store: Store, clock: Watch, box: Mailbox
) -> None:
    morning = Morning(store, clock, box)
    ada = await morning.someone()
    await morning.tell(ada, "1")
    box.refusals["RCPT"] = "451 Later"
    assert await morning.until("2026-03-28T08:00") == []
    box.refusals = {}
    assert await morning.until("2026-03-28T08:05") == [ONE]
    assert await morning.until("2026-03-29T08:00") == []
    assert len(await morning.timers()) == 1


async def test_one_that_was_due_before_an_import_is_left_out(
    store: Store, clock: Watch, box: Mailbox
) -> None:
    morning = Morning(store, clock, box)
    ada = await morning.someone()
    await morning.tell(ada, "1")
    await store.write(put(LastImport(imported_at=at("2026-03-28T09:00"))))
    assert await morning.until("2026-03-28T09:01") == []
    await morning.tell(ada, "2")
    assert len(await morning.until("2026-03-29T08:00")) == 1


async def test_called_twice_it_comes_once(store: Store, clock: Watch, box: Mailbox) -> None:
    morning = Morning(store, clock, box)
    ada = await morning.someone()
    await morning.tell(ada, "1")
    [waiting] = await morning.timers()
    assert await morning.until("2026-03-28T08:00") == [ONE]
    handler = morning.scheduler._handlers[SEND_DIGEST]
    again = await handler(store, waiting, clock())
    assert again == at("2026-03-29T08:00")
    assert len(box.letters) == 1


class TestTheTimer:
    async def test_is_there_only_while_somebody_wants_it(
        self, either: Store, clock: Watch, box: Mailbox
    ) -> None:
        morning = Morning(either, clock, box)
        ada = await morning.someone(now=time.time())
        [waiting] = await morning.timers()
        assert clock() < waiting.moment < clock() + 2 * DAY
        ada = await morning.choose(ada)
        assert await morning.timers() == [waiting], "the same choice is the same timer"
        await morning.choose(ada, digest=False)
        assert await morning.timers() == []

    async def test_moves_with_the_time_and_the_zone(
        self, store: Store, clock: Watch, box: Mailbox
    ) -> None:
        morning = Morning(store, clock, box)
        ada = await morning.choose(await morning.someone(), "21:15")
        assert [one.moment for one in await morning.timers()] == [at("2026-03-27T21:15")]
        await store.write(update(ada.ref, time_zone="UTC"))
        await morning.again(ada)
        assert [one.moment for one in await morning.timers()] == [at("2026-03-27T22:15")]

    async def test_goes_with_who_leaves_or_is_kept_out(
        self, store: Store, clock: Watch, box: Mailbox
    ) -> None:
        morning = Morning(store, clock, box)
        ada, ben = await morning.someone(), await morning.someone("Ben")
        await morning.until("2026-03-28T08:00")
        await store.write(update(ben.ref, disabled_at="2026"), delete(ada))
        await morning.worker.drain()
        assert await morning.timers() == []
        assert (await store.page(kept_for_person(user_id="ada"))).items == []

    async def test_that_is_left_of_an_earlier_choice_does_nothing(
        self, store: Store, clock: Watch, box: Mailbox
    ) -> None:
        morning = Morning(store, clock, box)
        ada = await morning.someone()
        [earlier] = await morning.timers()
        await morning.choose(ada, "09:00")
        handler = morning.scheduler._handlers[SEND_DIGEST]
        assert await handler(store, earlier, earlier.moment) is None

    async def test_goes_on_where_there_is_no_mail_server_any_more(
        self, store: Store, clock: Watch, box: Mailbox
    ) -> None:
        morning = Morning(store, clock, box, sends=False)
        ada = await morning.someone()
        await morning.tell(ada, "1")
        assert await morning.until("2026-03-28T08:00") == []
        assert [one.moment for one in await morning.timers()] == [at("2026-03-29T08:00")]


async def test_quiet_hours_put_it_off(store: Store, clock: Watch, box: Mailbox) -> None:
    morning = Morning(store, clock, box)
    ada = await morning.someone()
    await store.write(update(ada.ref, quiet_from="23:00", quiet_until="09:30"))
    await morning.again(ada)
    await morning.tell(ada, "1")
    assert await morning.until("2026-03-28T08:00") == []
    assert await morning.until("2026-03-28T09:30") == [ONE]
    assert [one.moment for one in await morning.timers()] == [at("2026-03-29T08:00")]


@pytest.mark.parametrize("ahead", SET_BACK)
async def test_it_goes_on_after_a_clock_that_was_ahead_is_set_back(
    store: Store, clock: Watch, box: Mailbox, ahead: float
) -> None:
    morning = Morning(store, clock, box)
    ada = await morning.someone(now=at("2026-03-27T20:00") + ahead)
    await morning.tell(ada, "1")
    clock.now += DAY
    assert await morning.scheduler.once() == 1
    clock.now = at("2026-03-27T20:00")
    await morning.scheduler.follow_clock()
    await morning.tell(ada, "2")
    for _ in range(2):
        await morning.until("2026-03-28T20:01")
    await morning.tell(ada, "3")
    assert len(await morning.until("2026-03-29T08:01")) == 1
