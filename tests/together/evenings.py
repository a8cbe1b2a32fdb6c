"""Movie nights of a household, for what home shows of them."""

from __future__ import annotations

import time
from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.invites import create_invite, join
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.preferences import set_preferences
from commonroom.movienight.service.rounds import lifecycle, picks
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.movienight.service.watched import mark_round_watched
from commonroom.store import Store
from commonroom.titles.builtin import Catalogue

TASTES: dict[str, Any] = {"likes": ["35", "18"], "dislikes": [], "ceiling": "PG"}


async def seat_of(store: Store, person: User) -> HouseholdContext:
    """The seat of somebody who asks now."""
    known = await store.get(person.ref)
    assert known is not None
    seat = await find_household_context(Context(store, known, time.time()), known)
    assert seat is not None
    return seat


async def live_together(store: Store, ada: User, children: int = 1) -> list[User]:
    """A household of Ada and her children."""
    await create_household(Context(store, ada, time.time()), name="Home")
    seat = await seat_of(store, ada)
    made = [await add_managed(seat, display_name=f"Zoe {n}") for n in range(children)]
    for member_id in (seat.member_id, *(one.user_id for one in made)):
        await set_preferences(await seat_of(store, ada), member_id, **TASTES)
    return made


async def move_in(store: Store, ada: User, person: User) -> None:
    """Lets somebody join Ada's household and say what they like."""
    link = await create_invite(await seat_of(store, ada))
    await join(Context(store, person, time.time()), link.token)
    await set_preferences(await seat_of(store, person), person.user_id, **TASTES)


async def open_vote(store: Store, ada: User, attendees: list[str] | None = None) -> str:
    """A round in which everybody can vote."""
    seat = await seat_of(store, ada)
    here = attendees or seat.group.member_ids
    made = await lifecycle.create_round(seat, Catalogue(), attendees=here)
    await lifecycle.start_voting(seat, made.round_id)
    return made.round_id


async def pick_film(store: Store, ada: User, round_id: str) -> str:
    """Picks the first film of a round; gives its title."""
    seat = await seat_of(store, ada)
    film = (await load_round(seat, round_id)).films[0].film
    await picks.pick(seat, round_id, film.tmdb_movie_id, even_if_votes_are_missing=True)
    return film.title


async def watch_film(store: Store, ada: User) -> tuple[str, str]:
    """An evening that was: its round, and the film's title."""
    round_id = await open_vote(store, ada)
    title = await pick_film(store, ada, round_id)
    await mark_round_watched(await seat_of(store, ada), round_id)
    return round_id, title
