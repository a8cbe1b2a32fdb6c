"""The house, and what the people in it are told."""

from __future__ import annotations

import time

from commonroom.accounts.tables import User
from commonroom.notifications import tell
from tests.accounts.api.calling import Calling, Client
from tests.notifications.people import FACTS, ROUND


class House(Calling):
    """Everybody who calls, and what they are told."""

    async def tell(
        self, user: User, *, about: str = "1", ago: float = 0, link: str = "/me"
    ) -> None:
        """Tells somebody of a new round."""
        now = time.time() - ago
        assert (
            await tell(self.store, now, [user], ROUND, facts=FACTS, link=link, id=about, by=None)
            == 1
        )

    async def reader(self, user: User) -> Client:
        """A person's browser, which reads pages."""
        client = await self.browser(user)
        client.headers["Accept"] = "text/html"
        return client
