"""The digest: one e-mail a day with what is new, for those who want it, at a time of theirs.

A timer for each of them waits for the next one. It is set with the choice, moved when time or zone
change, and taken away when nobody wants it any more, by a consumer that follows accounts.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress

from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.http.times import zone_of
from commonroom.moments import iso, past
from commonroom.notifications.channels import Undeliverable, address_of, send_email
from commonroom.notifications.clock_times import next_time
from commonroom.notifications.groups import NotificationThread, grouped
from commonroom.notifications.imported import was_due_at_import
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import channels_for
from commonroom.notifications.preferences import DIGEST, DIGEST_TIME, waits_until, wants_digest
from commonroom.notifications.tables import DigestState, Notification, notifications_since
from commonroom.notifications.wording import digest_subject, email_footer, write_group
from commonroom.outgoing.mail import Email, Mailer
from commonroom.store import ConditionFailed, Store, Write, check, delete, put, stored
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Timer, timer

logger = logging.getLogger(__name__)

SEND_DIGEST = "notify.digest"
DAY = 24 * 3600
MAX_SECONDS = 7 * DAY
"""How far back a digest goes where there was none for a while."""
SETTLED_SECONDS = 600
"""The least age of what is in it: a notification a little late has its place in the next one,
and nothing is in two."""
MAX_NOTIFICATIONS = 200
"""How many notifications one digest is made of."""
MAX_GROUPS = 40


def digest_timer(person: User | None, now: float) -> Timer | None:
    """The timer of a person's next digest, the same whenever it is asked for before that."""
    if person is None or person.disabled_at is not None or not wants_digest(person):
        return None
    clock = person.digest_at or DIGEST_TIME
    moment = next_time(now, zone_of(person), clock)
    about = {"user_id": person.user_id, "clock": clock, "zone": person.time_zone or ""}
    return timer(SEND_DIGEST, moment, about)


async def follow_account(store: Store, change: Change) -> None:
    """Sets, moves and takes away the timer of a person's digest as they choose, or leave."""
    before, after = digest_timer(change.old, change.at), digest_timer(change.new, change.at)
    if before == after:
        return
    writes: list[Write] = [] if before is None else [delete(before)]
    if after is not None:
        writes.append(put(replace(after, set_at=iso(change.at))))
    await store.write(*writes)


digest_consumer = Consumer("notify-digests", (User,), follow_account, sets=(SEND_DIGEST,))


class Digests:
    """Writes and sends digests."""

    def __init__(self, mailer: Mailer, kinds: Mapping[str, Kind], public_address: str) -> None:
        self._mailer, self._kinds, self._public_address = mailer, kinds, public_address

    async def send_due(self, store: Store, waited: Timer, now: float) -> float | None:
        """Sends a person's digest, and returns the moment of the next."""
        person = await store.get(User.at(user_id=waited.about["user_id"]))
        following = digest_timer(person, now)
        if person is None or following is None or following.about != waited.about:
            return None  # nobody wants it any more, or another timer waits for another time
        until = waits_until(person, now)
        if until is not None:
            return until
        if (
            self._mailer.sends
            and person.email is not None
            and person.email_confirmed_at is not None
            and not await was_due_at_import(store, waited, now)
        ):
            await self._send(store, person, now)
        return following.moment

    async def _send(self, store: Store, person: User, now: float) -> None:
        """Sends what came since the last one; a second call finds nothing new."""
        last = await store.get(DigestState.at(user_id=person.user_id))
        covered_until = past(None if last is None else last.until, now)
        since = max(covered_until or now - DAY, now - MAX_SECONDS)
        until = iso(now - SETTLED_SECONDS)
        groups = grouped(await self._news(store, person, iso(since), until))
        if groups:
            try:
                await send_email(self._mailer, self._email(person, groups))
            except Undeliverable as error:
                logger.warning("A digest was not sent, for good: %s", error)
        with suppress(ConditionFailed):  # the account is gone
            covered = DigestState(user_id=person.user_id, until=until)
            await store.write(put(covered), check(person, if_=stored))

    async def _news(self, store: Store, person: User, since: str, until: str) -> list[Notification]:
        """Returns what was told meanwhile and is unread, of what a person wants to read here."""
        pattern = notifications_since(user_id=person.user_id, since=since)
        found = (await store.page(pattern, limit=MAX_NOTIFICATIONS)).items
        return [
            one for one in reversed(found) if one.made_at <= until and self._belongs(person, one)
        ]

    def _belongs(self, person: User, one: Notification) -> bool:
        kind = self._kinds.get(one.kind)
        return one.read_at is None and kind is not None and DIGEST in channels_for(person, kind)

    def _email(self, person: User, groups: list[NotificationThread]) -> Email:
        parts = [self._paragraph(person, group) for group in groups[:MAX_GROUPS]]
        parts.append("-- \n" + email_footer(person))
        subject = digest_subject(person, len(groups))
        return Email(person.email or "", subject, "\n\n".join(parts) + "\n")

    def _paragraph(self, person: User, group: NotificationThread) -> str:
        words = write_group(self._kinds, group, person)
        address = address_of(self._public_address, group.newest)
        return "\n  ".join(filter(None, [f"* {words.title}", words.text, address]))
