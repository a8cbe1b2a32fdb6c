"""A process in which several households have one movie night after another, as fast as they can.

It says what was acknowledged. Run as `python -m tests.movienight.service.rounds.races.busy FILE`;
it ends when somebody kills it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.lifecycle import create_round, start_voting
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.votes import rate, vote
from commonroom.movienight.service.watched import mark_round_watched
from commonroom.movienight.service.wishes import add_wish
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.movienight.evenings import TABLES, context_of, home_of, somebody
from tests.movienight.rounds_support import Evening, Shelf, film
from tests.support.context import at

HOUSEHOLDS = 4
FILMS = 200


def say(*words: str) -> None:
    """One line to whoever watches, in one piece."""
    os.write(sys.stdout.fileno(), (" ".join(words) + "\n").encode())


async def live(store: Store, name: str) -> None:
    """One household, as long as there are films that it has not watched."""
    evening = Evening(store, Watch(), Shelf([film(number) for number in range(1, FILMS)]))
    people = [await somebody(store, evening.clock, f"{one}{name}") for one in ("Ada", "Ben")]
    await home_of(store, evening.clock, *people)
    for person in people:
        await evening.likes(person)
    say("living", name)
    while True:
        await spend(evening, [await context_of(store, person) for person in people])


async def spend(evening: Evening, seats: list[HouseholdContext]) -> None:
    """One evening, from the shortlist to the ratings."""
    store, now, films = evening.store, evening.now(), evening.films
    made = await create_round(at(store, now, seats[0]), films, wishes=True)
    say("drafted", made.round_id)
    await start_voting(at(store, now, seats[0]), made.round_id)
    first = (await evening.suggestions(made))[0].tmdb_movie_id
    await add_wish(at(store, now, seats[1]), films, first)
    await asyncio.gather(*(voted(evening, one, made.round_id, first) for one in seats))
    chosen = await pick(at(store, now, seats[0]), made.round_id, first)
    say("picked", made.round_id, chosen.pick_id)
    await mark_round_watched(at(store, now, seats[1]), made.round_id)
    await asyncio.gather(*(rate(at(store, now, one), made.round_id, "liked") for one in seats))
    say("rated", made.round_id)


async def voted(evening: Evening, ctx: HouseholdContext, round_id: str, number: int) -> None:
    """A vote, announced when it is acknowledged."""
    await vote(at(evening.store, evening.clock(), ctx), round_id, number, "up")
    say("voted", round_id, ctx.member_id)


async def main(path: Path) -> None:
    """All households at once."""
    store = Store(EmbeddedEngine(path, TABLES))
    await asyncio.gather(*(live(store, f"{os.getpid()}-{n}") for n in range(HOUSEHOLDS)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
