"""Every operation of movie night with everybody there is, compared with the table in this folder.

`tests.support.who_may` says how to print it anew.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from httpx import Response
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.http.application import App
from commonroom.moments import iso
from commonroom.movienight.api import movienight_api
from commonroom.movienight.service import invites, members, preferences, watched, wishes
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.rounds import lifecycle, picks, votes
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.settings import Settings
from commonroom.store import Store, create
from commonroom.titles.builtin import Catalogue
from tests.support.application import application
from tests.support.context import at
from tests.support.snapshots import Homes
from tests.support.who_may import WhoMay, routes_of, send, yes_or_status

CALLERS = ("guest", "stranger", "neighbour", "member", "parent", "child", "creator")
"""A stranger has no household, a neighbour another one; the child is acted for by its parent, who
started the round."""

V1 = "/api/v1"
TASTES = {"genre_likes": ["35", "18"], "max_content_rating": "PG"}
WALLE, PONYO, TOTORO = 10681, 12429, 8392

BODIES: dict[tuple[str, str], Any] = {
    ("POST", "/households"): {"name": "Lair"},
    ("PATCH", "/households/{group_id}"): {"name": "Nest"},
    ("POST", "/households/{group_id}/members"): {"display_name": "Max"},
    ("PATCH", "/households/{group_id}/members/{member_id}"): {"content_rating_ceiling": "PG-13"},
    ("PUT", "/households/{group_id}/members/{member_id}/preferences"): TASTES,
    ("POST", "/households/{group_id}/rounds"): {},
    ("POST", "/households/{group_id}/wishes"): {"tmdb_movie_id": WALLE},
    ("PUT", "/households/{group_id}/rounds/{round_id}/votes/{tmdb_movie_id}"): {"vote": "up"},
    ("PUT", "/households/{group_id}/rounds/{round_id}/rating"): {"rating": "loved"},
}
TIES = ("run-off", "draw")
STATES = {
    "start": "draft", "shuffle": "draft", "reopen": "selected", "watched": "selected",
    "rating": "selected",
}  # fmt: skip
"""The state that a round is in when something is asked of it; otherwise it is being voted on."""


class Evening(Struct, frozen=True):
    """What a household is in the middle of when something is asked."""

    state: str | None
    """Of its round, if it has one."""
    is_tied: bool
    """Whether the parent is alone and has voted for two films."""
    has_proposal: bool
    has_watched: bool

    @classmethod
    def before(cls, method: str, path: str) -> Evening:
        """What an operation needs to find."""
        step = path.rpartition("/")[2]
        return cls(
            state=None if step == "rounds" else STATES.get(step, "voting"),
            is_tied=step in TIES,
            has_proposal="/proposals/" in path,
            has_watched=method == "DELETE" and "/watched/" in path,
        )


class Home(Struct, frozen=True):
    """A household with a round, and somebody of every kind."""

    people: dict[str, User]
    places: dict[str, str]
    film: int


HOMES = Homes[Home]()


class Street:
    """A house in which every question finds the same: what was asked before is forgotten."""

    def __init__(self, store: Store, app: App) -> None:
        self._store = store
        self._app = app
        self._films = Catalogue()

    async def ask(self, caller: str, method: str, path: str) -> Response:
        """What somebody is told."""
        evening = Evening.before(method, path)
        home = await HOMES.home(self._store, evening, partial(self._home, evening))
        body = BODIES.get((method, path))
        if path.endswith("/proposals"):
            body = {"tmdb_movie_id": TOTORO}
        if path.endswith("/pick"):
            body = {"tmdb_movie_id": home.film, "even_if_votes_are_missing": True}
        places = home.places | self._named(path, home)
        params = {"name": "Home"} if (method, path) == ("DELETE", "/households/{group_id}") else {}
        params |= {"title": "toy"} if path == "/films" else {}
        return await send(
            self._app,
            method,
            V1 + path.format(**places),
            json=body,
            params=params,
            headers=await self._shown(caller, home),
        )

    @staticmethod
    def _named(path: str, home: Home) -> dict[str, str]:
        """Which film and which member is meant: a wish, a watched film, one of the round's."""
        if "/wishes/" in path:
            return {"tmdb_movie_id": str(PONYO)}
        if "/watched/" in path or "/films/" in path:
            return {"tmdb_movie_id": str(TOTORO)}
        return {"tmdb_movie_id": str(home.film)}

    async def _shown(self, caller: str, home: Home) -> dict[str, str]:
        if caller == "guest":
            return {}
        person = home.people["parent" if caller == "child" else caller]
        secret = await sessions.open_session(self._store, time.time(), person)
        acting = {"X-Acting-As-Member": home.people["child"].user_id} if caller == "child" else {}
        return {"Cookie": f"session={secret}", **acting}

    async def _home(self, evening: Evening) -> Home:
        store, now = self._store, time.time()
        names = ("stranger", "neighbour", "member", "parent", "creator")
        people = {name: await self._somebody(name) for name in names}
        await create_household(Context(store, people["neighbour"], now), name="Lair")
        group = await create_household(Context(store, people["creator"], now), name="Home")
        creator = await self._context(people["creator"])
        link = await invites.create_invite(at(store, now, creator))
        for name in ("member", "parent"):
            await invites.join(Context(store, people[name], now), link.token)
        parent = await self._context(people["parent"])
        people["child"] = await members.add_managed(at(store, now, parent), display_name="Kim")
        for ctx in (creator, parent):
            await preferences.set_preferences(
                at(store, now, ctx), ctx.member_id, likes=["35", "16"], dislikes=[], ceiling="R"
            )
        await wishes.add_wish(at(store, now, parent), self._films, PONYO)
        if evening.has_watched:
            await watched.mark_watched(at(store, now, parent), self._films, TOTORO)
        round_id, film = await self._round(parent, evening)
        return Home(
            people,
            {
                "group_id": group.group_id,
                "round_id": round_id,
                "member_id": people["child"].user_id,
                "invite_id": link.invite.invite_id,
                "token": link.token,
            },
            film,
        )

    async def _round(self, starter: HouseholdContext, evening: Evening) -> tuple[str, int]:
        """The round of the parent's and a film in it, unless it is asked for as something new."""
        if evening.state is None:
            return "", 1
        store, now = self._store, time.time()
        ctx = await self._context(starter.person)
        alone = [ctx.member_id] if evening.is_tied else None
        made = await lifecycle.create_round(at(store, now, ctx), self._films, attendees=alone)
        film = (await load_round(ctx, made.round_id)).films[0].film.tmdb_movie_id
        if evening.state != "draft":
            await lifecycle.start_voting(at(store, now, ctx), made.round_id)
        if evening.state == "selected":
            await picks.pick(at(store, now, ctx), made.round_id, film)
        if evening.is_tied:
            for one in made.films[:2]:
                await votes.vote(at(store, now, ctx), made.round_id, one, "up")
        if evening.has_proposal:
            film = TOTORO
            await votes.propose(at(store, now, ctx), self._films, made.round_id, film)
        return made.round_id, film

    async def _somebody(self, name: str) -> User:
        user = User(
            user_id=str(uuid4()),
            email=f"{uuid4()}@example.org",
            display_name=name.title(),
            created_at=iso(time.time()),
        )
        await self._store.write(create(user))
        return user

    async def _context(self, person: User) -> HouseholdContext:
        known = await self._store.get(person.ref)
        assert known is not None
        ctx = await find_household_context(Context(self._store, known), known)
        assert ctx is not None
        return ctx


@asynccontextmanager
async def opened_street(folder: Path) -> AsyncIterator[Street]:
    """A house to ask at."""
    store = HOMES.store(folder / "street.db")
    try:
        yield Street(store, application(store, Settings(data=folder)))
    finally:
        await store.close()


TABLE = WhoMay(
    Path(__file__).with_name("who_may.txt"),
    callers=CALLERS,
    routes=routes_of([movienight_api()], below=V1),
    house=opened_street,
    cell=yes_or_status,
)


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Street]:
    """A house to ask at."""
    async with opened_street(tmp_path) as made:
        yield made


def test_the_table_has_every_operation() -> None:
    TABLE.check_nothing_is_missing()


@TABLE.each_route
async def test_an_operation_answers_everybody_as_the_table_says(
    street: Street, method: str, path: str
) -> None:
    await TABLE.ask_everybody(street, method, path)
