"""A household's month: what its people look at and do, how often, and each of it as requests.

The frequencies are assumptions, stated here and in docs/scale.md; what each costs is measured.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from httpx import AsyncClient, Response
from msgspec import Struct

from benchmarks.capacity import Usage, measuring
from benchmarks.households import PASSWORD, V1, Household, answered, book, browser
from commonroom.titles.builtin import known_films

POLL = {
    "name": "Summer",
    "questions": [
        {
            "title": title,
            "is_required": True,
            "options": [{"label": f"{title} {option}"} for option in ("yes", "no", "perhaps")],
        }
        for title in ("The sea", "The hills", "In July")
    ],
}
LIST = {"title": "For the winter", "is_public": True}
CHECKLIST = {
    "name": "Shopping",
    "items": [{"name": "Milk"}, {"name": "Bread"}],
    "ticks_shared": True,
}
VIEWS: dict[str, float] = {
    "the first page of a visit": 30,
    "the front page": 30,
    "the household's home": 30,
    "a round that is voted on": 24,
    "the history": 6,
    "all libraries": 8,
    "a shelf": 12,
    "a book": 12,
    "a search in the library": 4,
    "what is lent": 4,
    "the notifications": 8,
    "a poll, seen by a guest": 20,
    "all lists": 8,
    "a list": 12,
    "a film": 12,
    "my hangouts": 16,
    "the month of hangouts": 4,
    "a hangout": 20,
}
"""How often each is looked at in a month, by all of a household together."""
ACTS: dict[str, float] = {
    "to sign in": 2,
    "to draft a round": 4,
    "to open its vote": 4,
    "to vote for a film": 60,
    "to pick a film": 4,
    "to say that it was watched": 4,
    "to rate it": 12,
    "to add a book": 6,
    "to lend a book": 2,
    "to take it back": 2,
    "to make a poll": 1,
    "to vote in a poll, as a guest": 10,
    "to make a checklist, as a guest": 1,
    "to tick an item, as a guest": 10,
    "to make a list": 1,
    "to add a title to it": 8,
    "to save a list": 2,
    "to start a group": 0.2,
    "to plan a hangout": 3,
    "to answer it": 12,
}
"""How often each is done."""
MONTH = VIEWS | ACTS

Measure: TypeAlias = Callable[[str, Awaitable[Response]], Awaitable[Any]]
"""Does what has a name in `MONTH`, and gives what was answered."""


class Person(Struct, frozen=True):
    """Somebody's browser, and for whom they act."""

    client: AsyncClient
    headers: dict[str, str] = {}


class Measured:
    """What everything of a month has cost so far, each time that it was done."""

    def __init__(self) -> None:
        self.usage: dict[str, list[Usage]] = {}

    async def __call__(self, name: str, doing: Awaitable[Response]) -> Any:
        """Does it and counts."""
        with measuring() as usage:
            response = await doing
        self.usage.setdefault(name, []).append(usage)
        return answered(response)


class Player:
    """The people of one household, who do all of a month once, one thing after the other."""

    def __init__(self, app: Any, home: Household, measure: Measure, number: int = 0) -> None:
        self._app, self.home, self._measure = app, home, measure
        self._here = f"{V1}/households/{home.group_id}"
        # Others than the neighbour's: whoever uses a title first stores it for everybody.
        self._films = [one.tmdb_id for one in known_films()[number % 2 : 4 : 2]]
        self._network = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    async def play(self) -> None:
        """All of it."""
        async with self._people() as (ann, ben, kim):
            for person in (ann, ben):
                await self._look(person.client, "the first page of a visit", "/")
            await self._come(ann.client)
            await self._movie_night(ann, ben, kim)
            await self._library(ann.client)
            await self._lists(ann.client, ben.client)
            await self._hangouts(ann.client)
        await self._share()

    async def look_at_home(self) -> None:
        """Only what everybody looks at."""
        async with self._people() as (ann, _, _):
            await self._look(ann.client, "the household's home", "/movie-night")

    async def vote_at_once(self) -> None:
        """Everybody votes on everything in the same moment."""
        async with self._people() as people:
            await asyncio.gather(*map(self._vote, people))

    @asynccontextmanager
    async def _people(self) -> AsyncIterator[tuple[Person, Person, Person]]:
        async with AsyncExitStack() as stack:
            ann, ben = [
                await stack.enter_async_context(browser(self._app, cookie, self._network))
                for cookie in (self.home.ann, self.home.ben)
            ]
            yield Person(ann), Person(ben), Person(ann, {"X-Acting-As-Member": self.home.kim_id})

    async def _look(self, client: AsyncClient, name: str, path: str) -> None:
        await self._measure(name, client.get(path, headers={"Accept": "text/html"}))

    async def _come(self, client: AsyncClient) -> None:
        await self._look(client, "the front page", "/")
        await self._look(client, "the notifications", "/notifications")
        async with browser(self._app, address=self._network) as new:
            body = {"email": self.home.ann_email, "password": PASSWORD}
            await self._measure("to sign in", new.post(f"{V1}/session", json=body))

    async def _movie_night(self, ann: Person, ben: Person, kim: Person) -> None:
        hers, round_id = ann.client, self.home.round_id
        one = f"{self._here}/rounds/{round_id}"
        await self._look(hers, "the household's home", "/movie-night")
        await self._look(hers, "a round that is voted on", f"/movie-night/rounds/{round_id}")
        for person in (ann, ben, kim):
            await self._vote(person)
        film = {"tmdb_movie_id": self.home.films[0]}
        await self._measure("to pick a film", hers.post(f"{one}/pick", json=film))
        await self._measure("to say that it was watched", hers.post(f"{one}/watched"))
        for person in (ann, ben, kim):
            rating = person.client.put(
                f"{one}/rating", json={"rating": "liked"}, headers=person.headers
            )
            await self._measure("to rate it", rating)
        await self._look(hers, "the history", "/movie-night/history")
        drafted = hers.post(f"{self._here}/rounds", json={})
        made = await self._measure("to draft a round", drafted)
        start = f"{self._here}/rounds/{made['round_id']}/start"
        await self._measure("to open its vote", hers.post(start))

    async def _vote(self, person: Person) -> None:
        for film in self.home.films:
            path = f"{self._here}/rounds/{self.home.round_id}/votes/{film}"
            vote = person.client.put(path, json={"vote": "up"}, headers=person.headers)
            await self._measure("to vote for a film", vote)

    async def _library(self, client: AsyncClient) -> None:
        shelf, page = f"{V1}/libraries/{self.home.library_id}", f"/library/{self.home.library_id}"
        one = f"{shelf}/items/{self.home.book_ids[0]}"
        await self._look(client, "all libraries", "/library")
        await self._look(client, "a shelf", page)
        await self._look(client, "a book", f"{page}/items/{self.home.book_ids[0]}")
        await self._look(client, "a search in the library", "/library/search?q=winter")
        await self._measure("to add a book", client.post(f"{shelf}/items", json=book(99)))
        await self._measure("to lend a book", client.post(f"{one}/lend", json={"lent_to": "Bo"}))
        await self._look(client, "what is lent", "/library/loans")
        await self._measure("to take it back", client.post(f"{one}/return"))

    async def _lists(self, ann: AsyncClient, ben: AsyncClient) -> None:
        """A public list of Ann's with films on it, which Ben saves."""
        made = await self._measure("to make a list", ann.post(f"{V1}/watchlists", json=LIST))
        one, page = (f"{here}/{made['watchlist_id']}" for here in (f"{V1}/watchlists", "/lists"))
        for film in self._films:
            items = {"items": [{"content_type": "MOVIE", "content_id": str(film)}]}
            await self._measure("to add a title to it", ann.post(f"{one}/items", json=items))
        save = ben.put(f"{V1}/watchlists/saved/{made['watchlist_id']}")
        await self._measure("to save a list", save)
        await self._look(ann, "all lists", "/watchlists")
        await self._look(ann, "a list", page)
        await self._look(ann, "a film", f"/films/{self._films[0]}")

    async def _hangouts(self, ann: AsyncClient) -> None:
        """A hangout of Ann's group, in the week ahead."""
        group = await self._measure(
            "to start a group", ann.post(f"{V1}/groups", json={"group_name": "Friends"})
        )
        plan = {"title": "Picnic", "group_ids": [group["group_id"]], "time": in_a_week()}
        made = await self._measure("to plan a hangout", ann.post(f"{V1}/hangouts", json=plan))
        answer = f"{V1}/hangouts/{made['hangout_id']}/rsvp"
        await self._measure("to answer it", ann.put(answer, json={"status": "GOING"}))
        await self._look(ann, "my hangouts", "/hangouts")
        await self._look(ann, "the month of hangouts", "/hangouts/month")
        await self._look(ann, "a hangout", f"/hangouts/{made['hangout_id']}")

    async def _share(self) -> None:
        """A poll of Ann's that a guest votes in, and a guest's checklist."""
        async with (
            browser(self._app, self.home.ann, self._network) as hers,
            browser(self._app, address=self._network) as guest,
        ):
            creation = hers.post(f"{V1}/shareables/polls", json=POLL)
            poll = (await self._measure("to make a poll", creation))["page"]
            await self._look(guest, "a poll, seen by a guest", poll["path"])
            await vote_in_poll(self._measure, guest, poll)
            creation = guest.post(f"{V1}/shareables/checklists", json=CHECKLIST)
            page = (await self._measure("to make a checklist, as a guest", creation))["page"]
            item = page["items"][0]["checklist_item_id"]
            tick = guest.put(f"{V1}/shareables/{page['short_id']}/ticks/{item}", json={})
            await self._measure("to tick an item, as a guest", tick)


def in_a_week() -> dict[str, str]:
    """A time that a hangout may have."""
    start = datetime.now(UTC).replace(microsecond=0) + timedelta(days=7)
    return {"start_time": start.isoformat(), "time_zone": "UTC"}


async def vote_in_poll(measure: Measure, guest: AsyncClient, poll: Any) -> None:
    """A guest votes for the first option of every question."""
    answers = {
        question["poll_question_id"]: [question["options"][0]["poll_question_option_id"]]
        for question in poll["questions"]
    }
    path = f"{V1}/shareables/{poll['short_id']}/votes"
    vote = guest.post(path, json={"name": "Guest", "answers": answers})
    await measure("to vote in a poll, as a guest", vote)
