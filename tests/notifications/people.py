"""People to tell, what to tell them, and the browsers that they have."""

from __future__ import annotations

import os
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import http_ece  # type: ignore[import-untyped] # it says nothing of its types
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec.structs import replace

from commonroom.accounts.secrets import digest
from commonroom.accounts.service.sessions import open_session
from commonroom.accounts.tables import NotificationPrefs, Session, User
from commonroom.moments import iso
from commonroom.notifications import Kind, Words
from commonroom.notifications.preferences import Preference
from commonroom.notifications.tables import Notification, PushSubscription, newest_notifications
from commonroom.store import Store, create, put
from tests.accounts.people import BEGINNING

ROUND = Kind(
    "new_round",
    title=lambda facts: f"{facts['who']} wants to watch a film",
    text=lambda facts: f"Vote in {facts['household']}.",
    preference=Preference("new_round", "A new round", "Somebody wants to watch a film."),
)
NEWS = Kind("news", title=lambda facts: "News", text=lambda facts: facts.get("what", ""))


def saying(words: Words, kind: Kind = NEWS) -> dict[str, Kind]:
    """The kinds of a house in which one says these words, whatever the facts."""
    return {kind.name: replace(kind, title=lambda _: words.title, text=lambda _: words.text)}


FACTS = {"who": "Ada", "household": "The Foxes"}
LINK = "/movie-night/rounds/1"


async def person(store: Store, name: str, **fields: Any) -> User:
    """Somebody with an account."""
    made = User(
        **{
            "user_id": name.lower(),
            "display_name": name,
            "email": f"{name.lower()}@example.org",
            "email_confirmed_at": iso(BEGINNING),
            "created_at": iso(BEGINNING),
            "notification_prefs": NotificationPrefs(),
            **fields,
        }
    )
    await store.write(create(made))
    return made


async def told(store: Store, user: User) -> list[Notification]:
    """What a person finds, the newest first."""
    asked = newest_notifications(user_id=user.user_id)
    return (await store.page(asked, limit=100)).items


async def count_unread(store: Store, user: User) -> int:
    """How much a person has not read."""
    return len([one for one in await told(store, user) if one.read_at is None])


class Device:
    """A browser's half of Web Push: it makes keys, and reads what was locked with them."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._private = generate_private_key(SECP256R1())
        self._auth = os.urandom(16)

    @property
    def keys(self) -> dict[str, str]:
        """What it gives away."""
        point = self._private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        return {"p256dh": _text(point), "auth": _text(self._auth)}

    def read(self, body: bytes) -> bytes:
        """What was locked for it."""
        plain: bytes = http_ece.decrypt(
            body, private_key=self._private, auth_secret=self._auth, version="aes128gcm"
        )
        return plain

    async def signed_in(self, store: Store, clock: Callable[[], float], user: User) -> Session:
        """Signs a person in, and is told what they are told from now on."""
        secret = await open_session(store, clock(), user, browser="Firefox")
        session = await store.get(Session.at(digest=digest(secret)))
        assert session is not None
        subscription = PushSubscription(
            user_id=user.user_id,
            session=session.digest,
            endpoint=self.endpoint,
            browser="Firefox",
            since=iso(clock()),
            **self.keys,
        )
        await store.write(put(subscription))
        return session


def _text(key: bytes) -> str:
    return urlsafe_b64encode(key).rstrip(b"=").decode()
