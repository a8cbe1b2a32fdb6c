"""The room's pages over a real engine, and browsers of those who look at them."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from commonroom.accounts.tables import User
from commonroom.house.rooms import ROOMS
from commonroom.http.live_topics import Live
from commonroom.outgoing.pictures import FetchedPictures
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.watchlists.pages import watchlists_pages
from commonroom.watchlists.tables import Watchlist
from tests.support.pages import Browser, open_browser, pages_of
from tests.watchlists.examples import TITLES


class Site:
    """An installation with lists in it."""

    def __init__(self, store: Store, folder: Path, stack: AsyncExitStack, **settings: Any) -> None:
        self.store, self.app, self._stack = store, pages_of(watchlists_pages), stack
        for name in list(self.app.state):
            del self.app.state[name]  # whatever it knew in the house before
        chosen = Settings(data=folder, **settings)
        pictures = FetchedPictures.of(chosen)
        stack.push_async_callback(pictures.close)
        self.app.state.update(
            rooms=ROOMS,
            store=store,
            settings=chosen,
            live=Live(store),
            titles=TITLES,
            pictures=pictures,
        )

    async def browser(self, person: User | None = None, acting_as: User | None = None) -> Browser:
        """Somebody's browser; nobody's where none is named."""
        return await open_browser(self.app, self.store, self._stack, person, acting_as)


def page_of(watchlist: Watchlist, below: str = "") -> str:
    """The address of a list, or of something below it."""
    return f"/lists/{watchlist.watchlist_id}{below}"
