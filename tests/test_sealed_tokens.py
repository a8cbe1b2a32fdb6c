"""What is sealed or signed is known again, as it was made and for its purpose only."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.sealed_tokens import InvalidToken, SealedTokens, Sealer, SignedTokens

KEY = sha256(b"a house").digest()
OTHER = sha256(b"another").digest()

tokens = SealedTokens(KEY, longest=4000)
signed = SignedTokens(KEY)


@given(st.lists(st.text()))
def test_a_token_holds_what_was_sealed_for_one_purpose(value: list[str]) -> None:
    token = tokens.seal(value, b"this")
    assert tokens.open(token, b"this", list[str]) == value
    assert tokens.open(token, b"that", list[str]) is None
    assert SealedTokens(OTHER, longest=4000).open(token, b"this", list[str]) is None


def test_a_token_of_another_type_or_too_long_is_none_of_ours() -> None:
    token = tokens.seal("text", b"this")
    assert tokens.open(token, b"this", int) is None
    assert SealedTokens(KEY, longest=len(token) - 1).open(token, b"this", str) is None


@pytest.mark.parametrize("end", ["=", "A", " ", "é", "\ud800"])
def test_a_token_has_one_spelling(end: str) -> None:
    assert tokens.open(tokens.seal("text", b"this") + end, b"this", str) is None
    assert signed.open(signed.sign("text") + end) is None


@given(st.text())
def test_what_somebody_made_up_opens_nothing(text: str) -> None:
    assert tokens.open(text, b"this", str) is None
    assert signed.open(text) is None


@given(st.text())
def test_a_signed_text_is_always_the_same_and_another_key_does_not_know_it(text: str) -> None:
    token = signed.sign(text)
    assert token == signed.sign(text)
    assert signed.open(token) == text
    assert SignedTokens(OTHER).open(token) is None


@given(st.binary(max_size=40))
def test_bytes_that_were_not_sealed_are_refused(raw: bytes) -> None:
    with pytest.raises(InvalidToken):
        Sealer(KEY).open(raw, b"this")


def test_tokens_of_earlier_versions_still_open() -> None:
    sealed = "AAECAwQFBgcICQoLwCeAe5BO9cgxsEPCSjJY1xhasBowhQ"
    name = "Fog2UEwbJqLK8Me1y0ommmh0dHBzOi8vcGljdHVyZXMuZXhhbXBsZS9hLmpwZw"
    assert tokens.open(sealed, b"pass", list[str]) == ["here"]
    assert signed.open(name) == "https://pictures.example/a.jpg"
