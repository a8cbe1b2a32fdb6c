"""Web Push: a message for each of a person's browsers, locked so that nobody else reads it."""

from __future__ import annotations

import time
from functools import partial

import msgspec

from commonroom.accounts.tables import User
from commonroom.notify.channels import NotSent
from commonroom.notify.kinds import Words
from commonroom.notify.reachability import forget, not_reached, reached
from commonroom.notify.rules import FRESH_SECONDS, age
from commonroom.notify.subscribing import standing_subscriptions
from commonroom.notify.tables import Notification, PushSubscription
from commonroom.notify.together import each
from commonroom.notify.vapid import Vapid
from commonroom.outgoing.errors import NotPublic, OutgoingError
from commonroom.outgoing.fetcher import Fetcher, Limits
from commonroom.store import Store
from commonroom.store.engine import Clock

LIMITS = Limits(seconds=10.0, largest=10_000)
LONGEST_TITLE = 100
LONGEST_TEXT = 300
"""Characters: push services take 4 KB, locked."""

GONE = frozenset({404, 410})
LATER = frozenset({408, 425, 429})


class Message(msgspec.Struct, frozen=True):
    """What the service worker gets, and shows."""

    title: str
    text: str
    link: str
    tag: str
    """A message with the same tag takes the place of the one before, without disturbing anew."""


class PushChannel:
    """Sends to push services, which know where each browser is."""

    name = "push"

    def __init__(self, fetcher: Fetcher, vapid: Vapid, clock: Clock = time.time) -> None:
        self._fetcher = fetcher
        self._vapid = vapid
        self._clock = clock

    async def send(
        self, store: Store, notification: Notification, person: User, words: Words
    ) -> None:
        """Sends it to all of a person's browsers; raises `NotSent` where one may work later."""
        message = _message(notification, words)
        browsers = await standing_subscriptions(store, person)
        failures = await each(partial(self._send, store, notification, message), browsers)
        if any(failures):
            raise NotSent(" ".join(filter(None, failures)))

    async def _send(
        self, store: Store, notification: Notification, message: bytes, to: PushSubscription
    ) -> str | None:
        """Sends it to one browser; says what went wrong where trying again may help."""
        try:
            status = await self._status(notification, message, to)
            why, later = f"A push service answered {status}.", status in LATER or status >= 500
        except NotPublic:
            status, why, later = 410, "", False
        except OutgoingError as error:
            status, why, later = 503, error.detail, True
        if status in GONE:
            await forget(store, to)
        elif status < 400:
            await reached(store, to)
        elif await not_reached(store, self._clock(), to) and later:
            return why
        return None

    async def _status(
        self, notification: Notification, message: bytes, to: PushSubscription
    ) -> int:
        now = self._clock()
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(max(0, int(FRESH_SECONDS - age(notification, now)))),
            # Of messages that wait for a browser, the service keeps one for each topic.
            "Topic": notification.notification_id,
            **self._vapid.signed(to.endpoint, now),
        }
        body = locked(message, to)
        answer = await self._fetcher.post(to.endpoint, body, headers=headers, limits=LIMITS)
        return answer.status


def locked(message: bytes, to: PushSubscription) -> bytes:
    """The message as only that browser can read it."""
    from pywebpush import WebPusher  # type: ignore[import-untyped] # it says nothing of its types

    info = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
    body: bytes = WebPusher(info).encode(message)["body"]
    return body


def _message(notification: Notification, words: Words) -> bytes:
    return msgspec.json.encode(
        Message(
            title=words.title[:LONGEST_TITLE],
            text=words.text[:LONGEST_TEXT],
            link=f"/notifications/{notification.notification_id}",
            tag=notification.notification_id,
        )
    )
