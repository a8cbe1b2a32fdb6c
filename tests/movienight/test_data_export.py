"""What a person takes along of movie night, and what that costs."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.data_export import export_person
from commonroom.movienight.rules.rounds import VotedFor
from commonroom.movienight.service.rounds.votes import propose, rate, vote, withdraw_proposal
from commonroom.movienight.tables import Household
from commonroom.store import Store, counting, update
from tests.accounts.people import Watch
from tests.movienight.evenings import now_of
from tests.movienight.rounds_support import Evening, Shelf, film
from tests.support.context import at


@pytest.fixture
async def evening(store: Store, clock: Watch, home: Household, ada: User, ben: User) -> Evening:
    """The household of Ada and Ben, who have said what they like."""
    made = Evening(store, clock, Shelf([film(number) for number in range(1, 31)]))
    await made.likes(ada)
    await made.likes(ben)
    return made


async def votes_of(evening: Evening, person: User) -> list[list[tuple[int, str]]]:
    """What somebody takes along of their votes, evening by evening."""
    kept = await export_person(evening.store, await now_of(evening.store, person))
    return [
        sorted((one["film"], one["vote"]) for one in evening["votes"])
        for evening in kept["evenings"]
    ]


async def test_votes_of_every_evening_are_there_on_proposed_films_too(
    evening: Evening, ada: User, ben: User
) -> None:
    first = await evening.voting(ada)
    shortlist = await evening.numbers(first)
    proposed, withdrawn = [n for n in range(1, 31) if n not in shortlist][:2]
    for number in (proposed, withdrawn):
        ctx = at(evening.store, evening.now(), await evening.ctx(ben))
        await propose(ctx, evening.films, first.round_id, number)
    cast: list[tuple[User, VotedFor]] = [(ada, "up"), (ben, "down")]
    for person, voted in cast:
        for number in (shortlist[0], proposed, withdrawn):
            ctx = at(evening.store, evening.now(), await evening.ctx(person))
            await vote(ctx, first.round_id, number, voted)
    ctx = at(evening.store, evening.now(), await evening.ctx(ben))
    await withdraw_proposal(ctx, first.round_id, withdrawn)
    assert sorted((await evening.again(first)).films) == sorted([*shortlist, proposed])
    expected = sorted([shortlist[0], proposed])
    assert await votes_of(evening, ada) == [[(one, "up") for one in expected]]
    assert await votes_of(evening, ben) == [[(one, "down") for one in expected]]


async def test_votes_in_rounds_of_an_earlier_version_are_there_too(
    evening: Evening, ada: User
) -> None:
    made = await evening.voting(ada)
    number = (await evening.numbers(made))[0]
    await vote(
        at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id, number, "up"
    )
    await evening.store.write(update(made.ref, films=[]))
    assert await votes_of(evening, ada) == [[(number, "up")]]


async def test_ratings_without_votes_are_there(evening: Evening, ada: User) -> None:
    made = await evening.watched(ada)
    await rate(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id, "loved")
    kept = await export_person(evening.store, await now_of(evening.store, ada))
    assert [one["ratings"] for one in kept["evenings"]] == [{ada.user_id: "loved"}]


async def test_it_takes_a_request_for_every_hundred_votes_not_for_every_round(
    evening: Evening, ada: User
) -> None:
    await evening.expired(ada)
    person = await now_of(evening.store, ada)
    with counting() as few:
        await export_person(evening.store, person)
    for _ in range(20):
        await evening.expired(ada)
    with counting() as many:
        await export_person(evening.store, person)
    # Twenty shortlists of eight films.
    assert many.requests - few.requests == 1
