"""How passwords are hashed; the only tests of accounts that hash as slowly as the application."""

from __future__ import annotations

import re
import unicodedata

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from commonroom.accounts.secrets import (
    digest,
    hash_password,
    is_digest,
    is_password,
    needs_rehash,
    new_secret,
)
from tests.accounts.people import PASSWORD


class TestASecret:
    def test_is_another_every_time_and_safe_in_addresses(self) -> None:
        secrets = {new_secret() for _ in range(100)}

        assert len(secrets) == 100
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", secret) for secret in secrets)

    def test_can_say_what_it_is_for(self) -> None:
        assert new_secret("cr_").startswith("cr_")


class TestADigest:
    def test_is_the_same_for_the_same_secret_and_does_not_hold_it(self) -> None:
        secret = new_secret()

        assert digest(secret) == digest(secret) != digest(secret + "x")
        assert secret not in digest(secret)
        assert is_digest(digest(secret))

    def test_is_had_by_anything_that_people_show(self) -> None:
        assert is_digest(digest(""))
        assert is_digest(digest("half a pair \ud800"))

    @pytest.mark.parametrize("text", ["", "a#b", "A" * 64, "a" * 63, "a" * 65, "a" * 64 + "\n"])
    def test_is_known_from_what_is_none(self, text: str) -> None:
        assert not is_digest(text)


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
