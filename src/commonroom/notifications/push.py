"""Web Push: a message for each of a person's browsers, encrypted and signed with a VAPID key."""

from __future__ import annotations

import time
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

import msgspec

from commonroom.accounts.tables import User
from commonroom.concurrency import gather_each
from commonroom.notifications.channels import NotSent
from commonroom.notifications.kinds import Words
from commonroom.notifications.notifications import FRESH_SECONDS, age
from commonroom.notifications.preferences import ChannelName
from commonroom.notifications.push_subscriptions import (
    active_subscriptions,
    delete_subscription,
    mark_reached,
    mark_unreached,
)
from commonroom.notifications.tables import Notification, PushSubscription
from commonroom.outgoing.fetcher import Fetcher, FetchLimits, NotPublic, OutgoingError
from commonroom.sealed_tokens import to_base64url
from commonroom.settings import Secrets, Settings
from commonroom.store import Store
from commonroom.store.engine import Clock

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey


LIMITS = FetchLimits(seconds=10.0, largest=10_000)
MAX_TITLE = 100
MAX_TEXT = 300
"""Characters: push services take 4 KB, encrypted."""

GONE = frozenset({404, 410})
LATER = frozenset({408, 425, 429})

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many private keys P-256 has, and one more."""
LONGER = 48
"""Bytes: so many more than the key has that no key is likelier than another."""
VALID_SECONDS = 12 * 3600
NOBODY = "mailto:commonroom@localhost.localdomain"


class PushPayload(msgspec.Struct, frozen=True):
    """What the service worker gets, and shows."""

    title: str
    text: str
    link: str
    tag: str
    """A message with the same tag takes the place of the one before, without disturbing anew."""


class PushChannel:
    """Sends to push services, which know where each browser is."""

    name = "push"
    follows: ClassVar[ChannelName] = "push"
    is_quiet: ClassVar[bool] = False

    def __init__(self, fetcher: Fetcher, vapid: Vapid, clock: Clock = time.time) -> None:
        self._fetcher = fetcher
        self._vapid = vapid
        self._clock = clock

    async def send(
        self, store: Store, notification: Notification, person: User, words: Words
    ) -> None:
        """Sends it to all of a person's browsers; raises `NotSent` where one may work later."""
        message = _message(notification, words)
        browsers = await active_subscriptions(store, person)
        failures = await gather_each(partial(self._send, store, notification, message), browsers)
        if any(failures):
            raise NotSent(" ".join(filter(None, failures)))

    async def _send(
        self, store: Store, notification: Notification, message: bytes, to: PushSubscription
    ) -> str | None:
        """Sends it to one browser; returns what went wrong where trying again may help."""
        try:
            status = await self._status(notification, message, to)
            why, later = f"A push service answered {status}.", status in LATER or status >= 500
        except NotPublic:
            status, why, later = 410, "", False
        except OutgoingError as error:
            status, why, later = 503, error.detail, True
        if status in GONE:
            await delete_subscription(store, to)
        elif status < 400:
            await mark_reached(store, to)
        elif await mark_unreached(store, self._clock(), to) and later:
            return why
        return None

    async def _status(
        self, notification: Notification, message: bytes, to: PushSubscription
    ) -> int:
        now = self._clock()
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(max(0, int(FRESH_SECONDS - max(0.0, age(notification, now))))),
            # Of messages that wait for a browser, the service keeps one for each topic.
            "Topic": notification.notification_id,
            **self._vapid.headers(to.endpoint, now),
        }
        body = encrypt(message, to)
        answer = await self._fetcher.post(to.endpoint, body, headers=headers, limits=LIMITS)
        return answer.status


def encrypt(message: bytes, to: PushSubscription) -> bytes:
    """Returns the message as only that browser can read it."""
    from pywebpush import WebPusher  # type: ignore[import-untyped] # it says nothing of its types

    info = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
    body: bytes = WebPusher(info).encode(message)["body"]
    return body


def _message(notification: Notification, words: Words) -> bytes:
    return msgspec.json.encode(
        PushPayload(
            title=words.title[:MAX_TITLE],
            text=words.text[:MAX_TEXT],
            link=f"/notifications/{notification.notification_id}",
            tag=notification.notification_id,
        )
    )


class Vapid:
    """The key pair, and whom a push service can ask about what we send."""

    def __init__(self, number: int, contact: str) -> None:
        self._number = number
        self.contact = contact

    @cached_property
    def private(self) -> EllipticCurvePrivateKey:
        """Returns the private key; made when something is sent, and not by every start."""
        from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key

        return derive_private_key(self._number, SECP256R1())

    @property
    def public(self) -> str:
        """What browsers are given, so that they show only what comes from here."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        return to_base64url(point)

    def headers(self, endpoint: str, now: float) -> dict[str, str]:
        """Returns the header that shows a push service who sends."""
        from py_vapid.jwt import sign  # type: ignore[import-untyped] # it says nothing of its types

        to = urlsplit(endpoint)
        claims = {
            "aud": f"{to.scheme}://{to.netloc}",
            "exp": int(now) + VALID_SECONDS,
            "sub": self.contact,
        }
        return {"Authorization": f"vapid t={sign(claims, self.private)}, k={self.public}"}


def vapid_of(settings: Settings, secrets: Secrets) -> Vapid:
    """Returns the key pair of an installation."""
    drawn = int.from_bytes(secrets.derived("web push", LONGER))
    return Vapid(drawn % (ORDER - 1) + 1, _contact(settings))


def _contact(settings: Settings) -> str:
    if settings.public_address.startswith("https://"):
        return settings.public_address
    return f"mailto:{settings.mail_from}" if settings.mail_from else NOBODY
