"""Nobody can make, change or move a pass."""

from __future__ import annotations

import base64

from hypothesis import given
from hypothesis import strategies as st

from commonroom.shareables.rules.access import Pass, Receipt
from commonroom.shareables.service.passes import Passes
from tests.shareables.furniture import PASSES

ADMIN = Pass("abc-def-12345", "admin", 1771415202059)


def test_a_pass_says_what_it_was_sealed_with() -> None:
    assert PASSES.open(PASSES.seal(ADMIN)) == ADMIN


def test_a_token_tells_nothing_and_never_looks_the_same() -> None:
    token = PASSES.seal(ADMIN)
    raw = base64.urlsafe_b64decode(token + "==")
    assert b"abc" not in raw
    assert b"admin" not in raw
    assert token != PASSES.seal(ADMIN)


def test_another_installations_pass_is_none() -> None:
    assert Passes(bytes(31) + b"x").open(PASSES.seal(ADMIN)) is None


@given(st.integers(0, 1000), st.integers(1, 255))
def test_a_changed_token_is_none(place: int, change: int) -> None:
    raw = bytearray(base64.urlsafe_b64decode(PASSES.seal(ADMIN) + "=="))
    raw[place % len(raw)] ^= change
    assert PASSES.open(base64.urlsafe_b64encode(raw).decode().rstrip("=")) is None


@given(st.text(max_size=300))
def test_whatever_is_shown_as_a_token_is_none(shown: str) -> None:
    assert PASSES.open(shown) is None


class TestAReceipt:
    def test_says_which_answer_it_is_of(self) -> None:
        receipt = Receipt("abc-def-12345", "k7m4x9p2")
        assert PASSES.open_receipt(PASSES.seal_receipt(receipt)) == receipt

    def test_is_no_pass_and_a_pass_is_no_receipt(self) -> None:
        assert PASSES.open(PASSES.seal_receipt(Receipt("abc-def-12345", "k7m4x9p2"))) is None
        assert PASSES.open_receipt(PASSES.seal(ADMIN)) is None
