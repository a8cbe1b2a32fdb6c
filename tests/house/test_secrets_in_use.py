"""Machines that share data but not their secrets are noticed: at their start, and by doctor."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from commonroom.doctor.store import examine_secrets
from commonroom.house.secrets_in_use import (
    DIFFERENT_SECRETS,
    FORGOTTEN_SECONDS,
    NOTE_SECONDS,
    fingerprint,
    note_secrets,
    noting_secrets,
)
from commonroom.settings import Secrets, Settings, secrets_of
from commonroom.store import Store
from commonroom.store.streams.tables import secrets_in_use
from tests.accounts.people import Watch

ONE, OTHER = Secrets(b"1" * 32), Secrets(b"2" * 32)


def test_a_fingerprint_tells_secrets_apart_and_none_of_them() -> None:
    assert fingerprint(ONE) == fingerprint(ONE)
    assert fingerprint(ONE) != fingerprint(OTHER)
    assert ONE.key.hex() not in fingerprint(ONE)


async def test_the_second_machine_with_other_secrets_is_told(
    dynamodb: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = (Settings(data=tmp_path, secret_key=one * 40) for one in "ab")
    assert await examine_secrets(dynamodb, first) == []
    async with noting_secrets(dynamodb, first):
        assert DIFFERENT_SECRETS not in caplog.text
        with caplog.at_level(logging.ERROR):
            async with noting_secrets(dynamodb, second):
                assert DIFFERENT_SECRETS in caplog.text
    assert await examine_secrets(dynamodb, first) == []
    (finding,) = await examine_secrets(dynamodb, second)
    assert (finding.level, finding.about) == ("problem", "secrets")
    assert "COMMONROOM_SECRET_KEY" in finding.repair


async def test_secrets_that_nobody_has_used_for_a_day_are_replaced(
    dynamodb: Store, clock: Watch
) -> None:
    assert await note_secrets(dynamodb, ONE, clock())
    assert not await note_secrets(dynamodb, OTHER, clock() + FORGOTTEN_SECONDS - 1)
    assert await note_secrets(dynamodb, ONE, clock() + NOTE_SECONDS)
    assert not await note_secrets(dynamodb, OTHER, clock() + FORGOTTEN_SECONDS)
    later = clock() + FORGOTTEN_SECONDS + NOTE_SECONDS
    assert await note_secrets(dynamodb, OTHER, later)
    assert not await note_secrets(dynamodb, ONE, later)


async def test_those_of_a_data_file_are_replaced_at_once(embedded: Store, clock: Watch) -> None:
    assert await note_secrets(embedded, ONE, clock())
    assert await note_secrets(embedded, OTHER, clock())
    stored = await embedded.get(secrets_in_use(consumer="secrets"))
    assert stored is not None
    assert stored.fingerprint == fingerprint(OTHER)


async def test_doctor_makes_no_secrets(embedded: Store, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    assert await examine_secrets(embedded, settings) == []
    assert list(tmp_path.glob("secrets*")) == []  # noqa: ASYNC240 - of a test
    await note_secrets(embedded, ONE, 0.0)
    secrets_of(settings)
    assert [one.level for one in await examine_secrets(embedded, settings)] == ["problem"]
