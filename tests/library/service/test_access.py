"""Finding people by their address: bounded, so that nobody finds out who has an account."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.find_account import BY_PERSON, FROM_ADDRESS, find_account
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound, RateLimited
from commonroom.library.service.libraries import share
from commonroom.library.service.loans import lend
from commonroom.library.tables import Library
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, somebody

BEN = "ben@example.org"


async def guess(store: Store, clock: Watch, person: User, number: int, **more: str) -> None:
    with pytest.raises(InvalidField, match="No account"):
        await find_account(Context(store, person, clock()), f"guess-{number}@example.org", **more)


async def test_somebody_is_found_however_often(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    for _ in range(2 * BY_PERSON.tries):
        found = await find_account(
            Context(store, ada, clock()), " Ben@Example.org ", asked_from="192.0.2.1"
        )
        assert found == ben


async def test_whoever_guesses_too_often_has_to_wait_whether_right_or_wrong(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    for number in range(BY_PERSON.tries):
        await guess(store, clock, ada, number)
    for email in (BEN, "nobody@example.org"):
        with pytest.raises(RateLimited):
            await find_account(Context(store, ada, clock()), email)
    assert await find_account(Context(store, eve, clock()), BEN) == ben
    clock.now += BY_PERSON.seconds + 1
    assert await find_account(Context(store, ada, clock()), BEN) == ben


async def test_finding_somebody_between_guesses_gives_no_more_of_them(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    for number in range(BY_PERSON.tries):
        await guess(store, clock, ada, number)
        if number < BY_PERSON.tries - 1:
            await find_account(Context(store, ada, clock()), BEN)
    with pytest.raises(RateLimited):
        await find_account(Context(store, ada, clock()), "another@example.org")


async def test_guesses_at_once_are_no_more_than_one_after_the_other(
    store: Store, clock: Watch, ada: User
) -> None:
    tries = [
        find_account(Context(store, ada, clock()), f"guess-{number}@example.org")
        for number in range(3 * BY_PERSON.tries)
    ]
    told = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(one, InvalidField) for one in told) <= BY_PERSON.tries
    assert all(isinstance(one, InvalidField | RateLimited) for one in told)


async def test_many_accounts_at_one_place_are_bounded_together(
    store: Store, clock: Watch, ben: User
) -> None:
    crowd = [await somebody(store, clock, f"Guesser{n}") for n in range(4)]
    for number in range(FROM_ADDRESS.tries):
        await guess(store, clock, crowd[number % 4], number, asked_from="192.0.2.1")
    with pytest.raises(RateLimited):
        await find_account(Context(store, crowd[0], clock()), BEN, asked_from="192.0.2.1")
    assert await find_account(Context(store, crowd[0], clock()), BEN, asked_from="192.0.2.2") == ben


async def test_what_is_no_address_is_no_guess(store: Store, clock: Watch, ada: User) -> None:
    for _ in range(2 * BY_PERSON.tries):
        with pytest.raises(InvalidField, match="Enter a valid e-mail address"):
            await find_account(Context(store, ada, clock()), "nobody")


@pytest.mark.usefixtures("ben")
async def test_nobody_is_looked_for_where_nothing_can_come_of_it(
    store: Store, clock: Watch, ada: User, eve: User, home: Library
) -> None:
    book = await book_of(store, clock, ada, home, "T")
    at = (Context(store, ada, clock()), home.library_id, book.item_id)
    await lend(*at, to="Cleo")
    for email in (BEN, "nobody@example.org"):
        with pytest.raises(Conflict):
            await lend(*at, to="Benny", email=email)
        with pytest.raises(NotFound):
            await share(Context(store, eve, clock()), home.library_id, email)
