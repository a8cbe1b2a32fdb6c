"""Who we are to push services: a key pair that is always the same, made of the house's secret."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from commonroom.settings import Secrets, Settings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many private keys P-256 has, and one more."""
LONGER = 48
"""Bytes: so many more than the key has that no key is likelier than another."""
VALID_SECONDS = 12 * 3600
NOBODY = "mailto:commonroom@localhost.localdomain"


class Vapid(Struct, frozen=True):
    """The key pair, and whom a push service can ask about what we send."""

    private: EllipticCurvePrivateKey
    contact: str

    @property
    def public(self) -> str:
        """What browsers are given, so that they show only what comes from here."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        return urlsafe_b64encode(point).rstrip(b"=").decode()

    def signed(self, endpoint: str, now: float) -> dict[str, str]:
        """The header that shows a push service who sends."""
        from py_vapid.jwt import sign  # type: ignore[import-untyped] # it says nothing of its types

        to = urlsplit(endpoint)
        claims = {
            "aud": f"{to.scheme}://{to.netloc}",
            "exp": int(now) + VALID_SECONDS,
            "sub": self.contact,
        }
        return {"Authorization": f"vapid t={sign(claims, self.private)}, k={self.public}"}


def vapid_of(settings: Settings, secrets: Secrets) -> Vapid:
    """The key pair of an installation."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key

    drawn = int.from_bytes(secrets.derived("web push", LONGER))
    return Vapid(derive_private_key(drawn % (ORDER - 1) + 1, SECP256R1()), _contact(settings))


def _contact(settings: Settings) -> str:
    if settings.public_address.startswith("https://"):
        return settings.public_address
    return f"mailto:{settings.mail_from}" if settings.mail_from else NOBODY
