"""Passes: tokens that say what their holder may do with one page, sealed by the installation."""

from __future__ import annotations

from hashlib import blake2b
from ipaddress import ip_address

from commonroom.rate_limits import network_of
from commonroom.sealed_tokens import SealedTokens, from_base64url, to_base64url
from commonroom.shareables.rules.access import Pass, Receipt

PURPOSE = "passes of shareables"
"""What the installation's secret is derived for."""
MAX_PASS = 300
CODE_BYTES, NETWORK_BYTES = 16, 9
MAX_ID = 100

_PASS, _RECEIPT = b"pass", b"receipt"


class Passes:
    """Seals and opens passes with a key that all servers of an installation share."""

    def __init__(self, key: bytes) -> None:
        self._tokens = SealedTokens(key, longest=MAX_PASS)
        self.answer_keys = AnswerKeys(key)

    def seal(self, one: Pass) -> str:
        """Returns a token that nobody can read, change or make."""
        return self._tokens.seal(one, _PASS)

    def open(self, token: str) -> Pass | None:
        """Returns what a token says; None where it is none of ours."""
        return self._tokens.open(token, _PASS, Pass)

    def seal_receipt(self, one: Receipt) -> str:
        """Returns a receipt for an answer: its holder need not guess its code."""
        return self._tokens.seal(one, _RECEIPT)

    def open_receipt(self, token: str) -> Receipt | None:
        """Returns what a receipt says; None where it is none of ours."""
        return self._tokens.open(token, _RECEIPT, Receipt)


class AnswerKeys:
    """Keyed names, so that nobody who reads the database can find accounts or addresses by them.

    All are made for one page: a network or account has another name on another page.
    """

    def __init__(self, key: bytes) -> None:
        self._account = _derived(key, b"account code")
        self._network = _derived(key, b"network")
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # with the first visit

        self._id = AESSIV(_derived(key, b"answer id"))

    def account_code(self, short_id: str, account_id: str) -> str:
        """The code of an account's answer; no guest's is as long, so nobody can type one."""
        return _digest(self._account, CODE_BYTES, short_id, account_id).hex()

    def network_digest(self, short_id: str, address: str) -> str | None:
        """Returns what a network is called; None for this machine itself, which stands for anybody.

        Behind a proxy that is not set as trusted, everybody seems to ask from there.
        """
        if not address or _is_loopback(address):
            return None
        return to_base64url(_digest(self._network, NETWORK_BYTES, short_id, network_of(address)))

    def answer_id(self, short_id: str, code: str) -> str:
        """Returns a stable name of an answer for admins, from which its code cannot be read."""
        return to_base64url(self._id.encrypt(code.encode(), [short_id.encode()]))

    def code_of(self, short_id: str, answer_id: str) -> str | None:
        """The code of the answer that an admin means; None where it is no id of this page."""
        if len(answer_id) > MAX_ID:
            return None
        from cryptography.exceptions import InvalidTag

        try:
            return self._id.decrypt(from_base64url(answer_id), [short_id.encode()]).decode()
        except (InvalidTag, ValueError):
            return None


def _derived(key: bytes, purpose: bytes) -> bytes:
    return blake2b(purpose, key=key, digest_size=32).digest()


def _digest(key: bytes, size: int, short_id: str, what: str) -> bytes:
    return blake2b(f"{short_id} {what}".encode(), key=key, digest_size=size).digest()


def _is_loopback(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback
