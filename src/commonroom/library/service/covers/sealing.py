"""Names of covers: the address of a picture, signed, so that nobody names one that no item has."""

from __future__ import annotations

from functools import cached_property

from commonroom.sealed_tokens import SignedTokens
from commonroom.settings import Settings, secrets_of

PURPOSE = "library covers"


class Seal:
    """Signs and opens the names of an installation; all of its machines agree on them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def name(self, address: str) -> str:
        """The name of the picture at an address."""
        return self._tokens.sign(address)

    def address(self, name: str) -> str | None:
        """What a name means; None where it was not given here."""
        return self._tokens.open(name)

    @cached_property
    def _tokens(self) -> SignedTokens:
        """Made when the first is needed."""
        return SignedTokens(secrets_of(self._settings).derived(PURPOSE))
