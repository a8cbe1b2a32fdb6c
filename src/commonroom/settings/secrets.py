"""The installation's secret: made on first start, kept beside the data and never in it."""

from __future__ import annotations

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

import msgspec

from commonroom.settings.loader import WrongSetting
from commonroom.settings.schema import Settings

FILE_NAME = "secrets.json"
KEY_BYTES = 32
HASH_BYTES = 32


class Secrets(msgspec.Struct, frozen=True):
    """One key from which each purpose derives its own, so that none can stand in for another."""

    key: bytes

    def derived(self, purpose: str, length: int = KEY_BYTES) -> bytes:
        """Returns the key for one purpose: HKDF with SHA-256 (RFC 5869), its salt left out.

        By hand, because every start needs one, and nothing else of a large library.
        """
        info = f"commonroom {purpose}".encode()
        extracted = hmac.digest(bytes(HASH_BYTES), self.key, "sha256")
        made = block = b""
        for number in range(1, length // HASH_BYTES + 2):
            block = hmac.digest(extracted, block + info + bytes([number]), "sha256")
            made += block
        return made[:length]


def secrets_of(settings: Settings) -> Secrets:
    """The secrets that are set, or those of the data folder, which are made if there are none."""
    if settings.secret_key:
        return Secrets(settings.secret_key.encode())
    path = settings.data / FILE_NAME
    if not path.exists():
        _make(path)
    return _read(path)


def _make(path: Path) -> None:
    """Writes fresh secrets under their name at once and whole; a second process finds them."""
    fresh = path.with_name(f".{FILE_NAME}.{secrets.token_hex(8)}")
    made = msgspec.json.encode(Secrets(secrets.token_bytes(KEY_BYTES)))
    try:
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(made)
            file.flush()
            os.fsync(file.fileno())
        # A link, not a rename: it fails where the other process of a first start was faster.
        with suppress(FileExistsError):
            path.hardlink_to(fresh)
    finally:
        fresh.unlink(missing_ok=True)


def _read(path: Path) -> Secrets:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Secrets)
    except (OSError, msgspec.MsgspecError) as error:
        raise WrongSetting(
            f"{path} is not a valid secrets file; restore it from a backup, or remove it "
            "to create a new one (page links and sessions then become invalid)."
        ) from error
    if len(found.key) < KEY_BYTES:
        raise WrongSetting(f"The key in {path} is too short; restore the file from a backup.")
    return found
