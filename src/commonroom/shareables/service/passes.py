"""Passes: tokens that say what somebody may do with one page, sealed by the installation."""

from __future__ import annotations

from commonroom.sealed_tokens import SealedTokens
from commonroom.shareables.rules.access import Pass, Receipt
from commonroom.shareables.service.answer_keys import AnswerKeys

PURPOSE = "passes of shareables"
"""What the installation's secret is derived for."""
LONGEST = 200

_PASS, _RECEIPT = b"pass", b"receipt"


class Passes:
    """Seals and opens passes with a key that all servers of an installation share."""

    def __init__(self, key: bytes) -> None:
        self._tokens = SealedTokens(key, longest=LONGEST)
        self.answer_keys = AnswerKeys(key)

    def sealed(self, one: Pass) -> str:
        """A token that nobody can read, change or make."""
        return self._tokens.seal(one, _PASS)

    def opened(self, token: str) -> Pass | None:
        """What a token says; None where it is none of ours."""
        return self._tokens.open(token, _PASS, Pass)

    def receipt(self, one: Receipt) -> str:
        """The same for an answer: whoever shows it need not guess its code."""
        return self._tokens.seal(one, _RECEIPT)

    def opened_receipt(self, token: str) -> Receipt | None:
        """What a receipt says; None where it is none of ours."""
        return self._tokens.open(token, _RECEIPT, Receipt)
