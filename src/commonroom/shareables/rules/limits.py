"""What an administrator allows of pages: who makes them, how many, and how much they may hold."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.shareables.errors import CreationDisabled

Makers: TypeAlias = Literal["anybody", "accounts", "nobody"]

MEGABYTE = 1_000_000


class Limits(Struct, frozen=True, kw_only=True):
    """What holds for whoever asks."""

    makers: Makers = "anybody"
    has_account: bool = False
    """Whether they have one, also where they act for a child."""
    pages_per_day: int = 60
    """From one address, without an account."""
    account_pages_per_day: int = 300
    guest_bytes: int = 500 * MEGABYTE
    """For all pages that were made without an account, with everything on them."""
    answers: int = 2000
    """On one page."""

    @property
    def may_make(self) -> bool:
        """Whether they may make pages."""
        return self.makers == "anybody" or (self.makers == "accounts" and self.has_account)

    def check_making(self) -> None:
        """Refuses somebody who may not make pages."""
        if not self.may_make:
            raise CreationDisabled(
                "You need an account to create pages here. Please sign in."
                if self.makers == "accounts"
                else "Creating pages is turned off on this Commonroom."
            )


USUAL = Limits()
