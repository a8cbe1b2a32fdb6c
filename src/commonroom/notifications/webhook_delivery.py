"""Delivery of webhooks: signed as the Standard Webhooks specification says, tried again, given up.

A message is JSON with `type`, `timestamp` and `data`; `webhook-id`, `webhook-timestamp` and
`webhook-signature` say that it came from here, when, and whether it is the same as one before.
"""

from __future__ import annotations

import hmac
import logging
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from commonroom.accounts.tables import User, user_by_id
from commonroom.concurrency import gather_each
from commonroom.moments import iso, seconds
from commonroom.notifications.channels import RETRY_POLICY, SECONDS, NotSent
from commonroom.notifications.imported import imported_at
from commonroom.notifications.kinds import Kind, Words
from commonroom.notifications.notifications import is_news, tell
from commonroom.notifications.tables import Notification, Webhook
from commonroom.notifications.webhooks import (
    INSTALLATION,
    SECRET_PREFIX,
    is_active,
    is_retried,
    list_webhooks,
    mark_delivered,
    mark_failed,
    secret_of,
)
from commonroom.outgoing.caches import TtlCache
from commonroom.outgoing.fetcher import Fetcher, FetchLimits, OutgoingError, TookTooLong
from commonroom.settings import Secrets
from commonroom.store import ConditionFailed, Store, merge, update
from commonroom.store.engine import Clock
from commonroom.store.streams import Change, Consumer

logger = logging.getLogger(__name__)

LIMITS = FetchLimits(seconds=5.0, connect_seconds=3.0, largest=10_000)
"""A slower receiver should take the message first and work on it then."""
REST_SECONDS = 60.0
"""How long one that kept us waiting is left alone: all webhooks are served one after another."""
MAX_RESTING = 1000
TEST = "test"


class WebhookPayload(Struct, frozen=True, kw_only=True):
    """What is sent."""

    type: str
    """The kind of notification, or `test`."""
    timestamp: str
    """When it happened."""
    data: dict[str, Any]


class WebhookDelivery:
    """Sends people's notifications to their webhooks, and their kinds to those of the house.

    The house's webhooks receive every notification, but not whom it went to or what it says:
    administrators of the house do not read along.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        secrets: Secrets,
        write: Callable[[Notification, User], Words],
        *,
        house: str,
        given_up: Kind,
        clock: Clock = time.time,
    ) -> None:
        self._fetcher = fetcher
        self._secrets = secrets
        self._write = write
        self._house = house
        self._given_up = given_up
        self._clock = clock
        self._resting: TtlCache[bool] = TtlCache(MAX_RESTING, clock)
        """Which took too long a moment ago, by id."""

    @property
    def consumer(self) -> Consumer:
        """Follows notifications, and webhooks that are to be tested."""
        return Consumer(
            "notify-webhooks",
            (Notification, Webhook),
            self._handle,
            RETRY_POLICY,
            SECONDS,
            tells=(self._given_up,),
        )

    async def _handle(self, store: Store, change: Change) -> None:
        """Sends a notification to webhooks, and a test to a webhook that is to be tested."""
        if isinstance(change.new, Webhook):
            await self._test(store, change.old, change.new)
        elif change.kind == "insert" and await is_news(store, change.new, self._clock()):
            await self._deliver(store, change.new)

    async def _test(self, store: Store, before: Webhook | None, webhook: Webhook) -> None:
        """Sends a message that says nothing; it is not sent again by itself."""
        if before is not None and before.tested_at == webhook.tested_at:
            return
        imported = await imported_at(store, self._clock())
        if imported is not None and seconds(webhook.tested_at) <= imported:
            return  # it was tried where it comes from
        data = {"webhook": webhook.name}
        message = WebhookPayload(type=TEST, timestamp=webhook.tested_at, data=data)
        await self._send(store, webhook, f"test_{webhook.tested_at}", message)

    async def _deliver(self, store: Store, notification: Notification) -> None:
        """Sends a notification to all who have not taken it yet."""
        person, current, theirs, houses = await store.gather(
            store.get(user_by_id(user_id=notification.user_id)),
            store.get(notification.ref),
            list_webhooks(store, notification.user_id),
            list_webhooks(store, INSTALLATION),
        )
        if person is None or current is None or person.disabled_at is not None:
            return
        if not current.listed:
            return  # a program hears what is in the list
        words = self._write(current, person)
        sent: list[tuple[Webhook, WebhookPayload]] = [
            *((one, self._message(current, words)) for one in theirs if is_active(one, person)),
            *((one, _anonymous(current)) for one in houses if is_active(one, None)),
        ]
        left = [pair for pair in sent if pair[0].webhook_id not in current.delivered]
        problems = await gather_each(partial(self._send_one, store, current), left)
        if any(problems):
            taken = [
                one.webhook_id
                for (one, _), problem in zip(left, problems, strict=True)
                if not problem
            ]
            await self._keep_delivered(store, current, taken)
            raise NotSent(" ".join(filter(None, problems)))

    async def _send_one(
        self, store: Store, notification: Notification, pair: tuple[Webhook, WebhookPayload]
    ) -> str | None:
        webhook, message = pair
        if self._resting.get(webhook.webhook_id):
            retried = is_retried(webhook, self._clock())
            return "It took too long a moment ago." if retried else None
        return await self._send(store, webhook, notification.notification_id, message)

    async def _keep_delivered(
        self, store: Store, notification: Notification, taken: list[str]
    ) -> None:
        """Notes who has taken it, so that they do not get it twice."""
        if not taken:
            return
        now = iso(self._clock())
        try:
            await store.write(update(notification, delivered=merge(dict.fromkeys(taken, now))))
        except ConditionFailed:
            return  # it is gone: nobody is notified any more

    async def _send(
        self, store: Store, webhook: Webhook, about: str, message: WebhookPayload
    ) -> str | None:
        """Sends a message once; returns what went wrong where trying again may help."""
        now = self._clock()
        problem = await self._post(webhook, about, message, now)
        if problem is None:
            await mark_delivered(store, now, webhook)
            return None
        outlook = await mark_failed(store, now, webhook, problem)
        if outlook == "given up":
            await self._tell_given_up(store, now, webhook)
        return problem if outlook == "later" else None

    async def _post(
        self, webhook: Webhook, about: str, message: WebhookPayload, now: float
    ) -> str | None:
        body = msgspec.json.encode(message)
        id_ = f"{about}.{webhook.webhook_id}"
        secret = secret_of(self._secrets, webhook)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Commonroom",
            "webhook-id": id_,
            "webhook-timestamp": str(int(now)),
            "webhook-signature": signature(secret, id_, int(now), body),
        }
        try:
            answer = await self._fetcher.post(webhook.address, body, headers=headers, limits=LIMITS)
        except OutgoingError as error:
            if isinstance(error, TookTooLong):
                self._resting.put(webhook.webhook_id, True, REST_SECONDS)
            return error.detail
        return None if 200 <= answer.status < 300 else f"The server answered {answer.status}."

    async def _tell_given_up(self, store: Store, now: float, webhook: Webhook) -> None:
        logger.warning("A webhook was given up after a week of failures.")
        if webhook.user_id == INSTALLATION:
            return
        person = await store.get(user_by_id(user_id=webhook.user_id))
        people: list[User] = [] if person is None else [person]
        given_up: dict[str, Any] = {
            "facts": {"name": webhook.name},
            "link": "/me/webhooks",
            "by": None,
        }
        about = f"{webhook.webhook_id} {webhook.tested_at}"
        await tell(store, now, people, self._given_up, id=about, **given_up)

    def _message(self, notification: Notification, words: Words) -> WebhookPayload:
        data = {
            "notification_id": notification.notification_id,
            "person_id": notification.user_id,
            "title": words.title,
            "text": words.text,
            "address": f"{self._house}{notification.link}",
        }
        return WebhookPayload(type=notification.kind, timestamp=notification.made_at, data=data)


def _anonymous(notification: Notification) -> WebhookPayload:
    """That something of a kind happened: not to whom, nor what it was about."""
    return WebhookPayload(type=notification.kind, timestamp=notification.made_at, data={})


def signature(secret: str, id_: str, timestamp: int, body: bytes) -> str:
    """Returns the signature of a message, which any holder of the secret can make again."""
    key = b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = hmac.digest(key, f"{id_}.{timestamp}.".encode() + body, sha256)
    return f"v1,{b64encode(signed).decode()}"
