from __future__ import annotations

import re

import pytest

from commonroom.accounts.secrets import digest, is_digest, new_secret


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
