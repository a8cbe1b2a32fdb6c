"""How passwords are hashed; the only tests of accounts that hash as slowly as the application."""

from __future__ import annotations

import unicodedata

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from commonroom.accounts.passwords import hash_password, is_password, needs_rehash
from tests.accounts.people import PASSWORD


@pytest.fixture(scope="module", autouse=True)
def hashing() -> None:
    """As it is."""


class TestHashing:
    async def test_is_argon2id_with_19_mib_and_two_passes(self) -> None:
        used = extract_parameters(await hash_password(PASSWORD))

        assert (used.type, used.memory_cost, used.time_cost) == (Type.ID, 19 * 1024, 2)

    async def test_gives_another_hash_every_time(self) -> None:
        assert await hash_password(PASSWORD) != await hash_password(PASSWORD)


class TestVerifying:
    async def test_knows_the_password_from_any_other(self) -> None:
        hashed = await hash_password("résumé de la soirée")

        assert await is_password(hashed, "résumé de la soirée")
        assert not await is_password(hashed, "resume de la soiree")
        assert not await is_password(hashed, "résumé de la soirée ")

    async def test_knows_it_however_the_keyboard_makes_an_accent(self) -> None:
        hashed = await hash_password("résumé de la soirée")

        assert await is_password(hashed, unicodedata.normalize("NFD", "résumé de la soirée"))

    async def test_is_never_right_where_there_is_no_password(self) -> None:
        assert not await is_password(None, PASSWORD)
        assert not await is_password(None, "nobody's password")

    @pytest.mark.parametrize("stored", ["", "plain text", "$argon2id$v=19$broken"])
    async def test_is_never_right_where_what_is_stored_is_no_hash(self, stored: str) -> None:
        assert not await is_password(stored, stored)

    async def test_takes_what_is_no_text_for_a_wrong_password(self) -> None:
        assert not await is_password(None, "half a pair \ud800")


class TestRehashing:
    async def test_is_needed_when_the_costs_were_others(self) -> None:
        cheaper = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

        assert needs_rehash(cheaper.hash(PASSWORD))
        assert not needs_rehash(await hash_password(PASSWORD))
