"""Movie night: a round with twelve films, eight members and all their votes, over HTTP."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from uuid import UUID

import msgspec

from benchmarks import serving
from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, speed
from benchmarks.visiting import visitors
from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.catalog.builtin import Catalogue
from commonroom.catalog.films import FilmFilter
from commonroom.movienight.rules.rounds import VotedFor
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.members import add_membership, set_household
from commonroom.movienight.service.preferences import set_preferences
from commonroom.movienight.service.rounds.lifecycle import create_round, start_voting
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.movienight.service.rounds.votes import propose, vote
from commonroom.movienight.service.seats import Seat, find_seat
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.store import Store, create

MEMBERS, FILMS = 8, 12
ROUNDS, WARM_UP, CALLS = 60, 5, 160


async def compare(folder: Path) -> list[Comparison]:
    """A signed-in read of the whole round against the same reads by hand."""
    settings = Settings(data=folder)
    cookie, path = await _furnished(settings)
    with serving.ours(folder) as ours, serving.bare_round(settings.data_file) as bare:
        await ours.first_answer(path, cookie)
        await bare.first_answer(path)
        mine, theirs = await visitors(ours.port, path, cookie), await visitors(bare.port, path)
        assert msgspec.json.decode(mine.body) == msgspec.json.decode(theirs.body)
        try:
            taken = await in_turns(
                partial(mine.ask, CALLS),
                partial(theirs.ask, CALLS),
                calls=CALLS,
                rounds=ROUNDS,
                warm_up=WARM_UP,
            )
        finally:
            mine.close()
            theirs.close()
    name = f"a round of {FILMS} films, {MEMBERS} members, {FILMS * MEMBERS} votes over HTTP"
    row = speed(
        name,
        *typical(*taken),
        ROUNDS,
        against="a bare application",
        sentence="A member reads a round with everybody’s votes and its results as JSON.",
        at_least=0.4,
    )
    return [row]


async def _furnished(settings: Settings) -> tuple[str, str]:
    """A full household that has voted on everything; the creator's session, the round's address."""
    async with open_store(settings, create=True) as store:
        now = time.time()
        people = [
            User(
                user_id=str(UUID(int=number)),
                display_name=f"Kim {number}",
                email=f"kim{number}@example.org",
                created_at="2026-05-31T18:00:00.000Z",
            )
            for number in range(MEMBERS)
        ]
        await store.write(*map(create, people))
        creator, *others = people
        group = await create_household(Context(store, creator, now), name="Home")
        for other in others:
            await store.write(
                set_household(other, group.group_id), *add_membership(now, group.group_id, other)
            )
        for person in people:
            seat = await _seat(store, person, now)
            await set_preferences(
                seat, person.user_id, likes=["35", "18"], dislikes=[], ceiling="R"
            )
        round_id = await _voted(store, now, people)
        session = await sessions.open_session(store, now, creator)
        return f"session={session}", f"/api/v1/households/{group.group_id}/rounds/{round_id}"


async def _voted(store: Store, now: float, people: list[User]) -> str:
    films, starter = Catalogue(), await _seat(store, people[0], now)
    round_ = await create_round(starter, films)
    await start_voting(starter, round_.round_id)
    seen = await load_round(starter, round_.round_id)
    there = [one.film.tmdb_movie_id for one in seen.films]
    more = [film.tmdb_movie_id for film in await films.discover(FilmFilter(), there)]
    for number in range(FILMS - len(there)):
        proposer = await _seat(store, people[number // 2], now)
        await propose(proposer, films, round_.round_id, more[number])
        there.append(more[number])
    for number, person in enumerate(people):
        seat = await _seat(store, person, now)
        for place, film in enumerate(there):
            thumb: VotedFor = "up" if (number + place) % 3 else "down"
            await vote(seat, round_.round_id, film, thumb)
    return round_.round_id


async def _seat(store: Store, person: User, now: float) -> Seat:
    known = await store.get(person.ref)
    assert known is not None
    seat = await find_seat(Context(store, known, now), known)
    assert seat is not None
    return seat
