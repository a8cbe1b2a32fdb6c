"""The whole application with a household in it, and what happens there before somebody looks."""

from __future__ import annotations

import re
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
from httpx import ASGITransport, AsyncClient

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.http.authentication import ACTING_COOKIE, COOKIE
from commonroom.http.live_topics import Live
from commonroom.movienight.pages import movienight_pages
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.lifecycle import create_round, start_voting
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.queries import RoundDetails, load_round
from commonroom.movienight.service.watched import mark_round_watched
from commonroom.outgoing.pictures import FetchedPictures
from commonroom.settings import Settings
from commonroom.store import Store, counting
from commonroom.titles.builtin import Catalogue
from commonroom.titles.pages.title import title_pages
from commonroom.titles.posters import Posters
from commonroom.titles.service import Titles
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of
from tests.support.context import at
from tests.support.pages import Browser, pages_of

ROUNDS = "/movie-night/rounds"
ELSEWHERE = f"{ROUNDS}/00000000-0000-4000-8000-000000000000"


class Site:
    """An installation where a household lives."""

    def __init__(
        self, store: Store, clock: Watch, folder: Path, stack: AsyncExitStack, **settings: Any
    ) -> None:
        self.store, self.clock, self.films = store, clock, Catalogue()
        self.app, self._stack = pages_of(movienight_pages, title_pages), stack
        self.app.state.pop("caller_cache", None)  # whom it knew in the house before
        chosen = Settings(data=folder, **settings)
        pictures = FetchedPictures.of(chosen)
        stack.push_async_callback(pictures.close)
        self.app.state.update(
            store=store,
            settings=chosen,
            pictures=pictures,
            live=Live(store),
            titles=Titles(self.films),
            posters=Posters(folder / "posters", None),
        )

    async def browser(self, person: User | None = None, acting_as: User | None = None) -> Browser:
        """Somebody's browser; nobody's where none is named."""
        client = AsyncClient(
            transport=ASGITransport(self.app),
            base_url="http://house.example",
            headers={"accept": "text/html"},
        )
        if person is not None:
            secret = await sessions.open_session(self.store, time.time(), person)
            client.cookies.set(COOKIE, secret, domain="house.example")
        if acting_as is not None:
            client.cookies.set(ACTING_COOKIE, acting_as.user_id, domain="house.example")
        return Browser(await self._stack.enter_async_context(client))

    def now(self) -> float:
        """The time, a minute after it was last asked for."""
        self.clock.forward(60)
        return self.clock()

    async def ctx(self, person: User, acting_as: User | None = None) -> HouseholdContext:
        """The seat of somebody who asks now."""
        return await context_of(self.store, person, acting_as)

    async def draft(self, person: User, *attendees: User) -> str:
        """The address of a round that somebody has begun, for everybody unless some are named."""
        ids = [one.user_id for one in attendees] or None
        ctx = await self.ctx(person)
        made = await create_round(at(self.store, self.now(), ctx), self.films, attendees=ids)
        return f"{ROUNDS}/{made.round_id}"

    async def voting(self, person: User, *attendees: User) -> str:
        """The address of a round that is being voted on."""
        address = await self.draft(person, *attendees)
        await start_voting(at(self.store, self.now(), await self.ctx(person)), _id(address))
        return address

    async def selected(self, person: User, *attendees: User) -> str:
        """The address of a round whose first film was picked."""
        address = await self.voting(person, *attendees)
        first = (await self.see(person, address)).films[0].film.tmdb_movie_id
        await pick(at(self.store, self.now(), await self.ctx(person)), _id(address), first)
        return address

    async def watched(self, person: User, *attendees: User) -> str:
        """The address of a round whose film was watched."""
        address = await self.selected(person, *attendees)
        await mark_round_watched(at(self.store, self.now(), await self.ctx(person)), _id(address))
        return address

    async def see(self, person: User, address: str) -> RoundDetails:
        """A round as it is stored now."""
        return await load_round(await self.ctx(person), _id(address))


def _id(address: str) -> str:
    return address.rpartition("/")[2]


async def requests_for(browser: Browser, path: str) -> int:
    """How many requests to the store a page takes, once it is known who asks."""
    for _ in range(2):  # after the first visit to a room it is noted that they were there
        await browser.get(path)
    with counting() as tally:
        assert (await browser.get(path)).status_code == 200
    return tally.requests


def films_on(answer: httpx.Response) -> list[int]:
    """The films of a round, in the order in which a page shows them."""
    return [int(number) for number in re.findall(r'id="film-(\d+)"', answer.text)]


def pressed(answer: httpx.Response, id_: str) -> bool:
    """Whether a button says that it is pressed."""
    found = re.search(rf'<button[^>]*\bid="{re.escape(id_)}"[^>]*aria-pressed="(\w+)"', answer.text)
    assert found, f"there is no button {id_}"
    return found[1] == "true"


def has(answer: httpx.Response, id_: str) -> bool:
    """Whether there is an element with an id."""
    return f'id="{id_}"' in answer.text


def refusal(answer: httpx.Response) -> str:
    """Why a page says that something could not be done."""
    found = re.search(r'id="refused" role="alert">(.*?)</p>', answer.text, re.DOTALL)
    assert found, "nothing was refused"
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())
