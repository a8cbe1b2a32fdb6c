"""Known devices: browsers in which an account was signed in before, and tries apart from others."""

from __future__ import annotations

from secrets import token_hex

from msgspec import Struct, field

from commonroom.accounts.tables import User

PURPOSE = "known devices"
"""What the installation's secret is derived for."""
MOST_ACCOUNTS = 8
"""A family's tablet knows all of them."""


class KnownDevice(Struct, frozen=True, array_like=True):
    """What a browser keeps, sealed: a number of its own, and who was signed in there.

    It lets nobody in. Whoever shows it may guess wrong a few times although others have guessed at
    the same account, no more.
    """

    device_id: str = field(default_factory=lambda: token_hex(16))
    accounts: tuple[tuple[str, int], ...] = ()
    """Ids with the epoch they were signed in at: another password makes all of it worthless."""

    def knows(self, user: User) -> bool:
        """Whether this account was signed in here, with the password that it has now."""
        return (user.user_id, user.epoch) in self.accounts

    def with_account(self, user: User) -> KnownDevice:
        """The same after somebody signed in; those who were here longest ago are forgotten."""
        others = tuple(one for one in self.accounts if one[0] != user.user_id)
        accounts = ((user.user_id, user.epoch), *others)[:MOST_ACCOUNTS]
        return KnownDevice(self.device_id, accounts)
