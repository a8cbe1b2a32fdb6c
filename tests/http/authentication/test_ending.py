"""What ends, ends at once, also for whoever was recognised a moment before."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonroom.errors import CommonroomError
from commonroom.http.authentication import Caller
from commonroom.store import BoundPattern, Ref, Store
from tests.accounts.people import Watch
from tests.http.authentication.asking import Outcome, asks, door, furnished, outcome
from tests.http.authentication.somebody import (
    ACTORS,
    BROWSER,
    BROWSERS,
    HAPPENINGS,
    PROGRAMS,
    SHOWN,
    happens,
)
from tests.support.dynamodb_local import ROOT

EVERYBODY = list(SHOWN)
ENDED = {
    "sign_out": BROWSERS,
    "revoke": PROGRAMS,
    "remove_mia": ACTORS,
    "end_everything": EVERYBODY,
    "disable": EVERYBODY,
    "new_password": EVERYBODY,
    "delete_account": EVERYBODY,
}
"""Who is no longer taken for whom they were, after what."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Callable[[Path, str], None]]:
    """Another process, which lets something happen and says when it has."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.http.authentication.somebody"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def happen(path: Path, what: str) -> None:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{path} {what}\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"{what}\n"

        yield happen


@pytest.mark.parametrize("what", ENDED)
class TestWhatEnds:
    async def test_in_this_process(self, store: Store, clock: Watch, what: str) -> None:
        await self.ends(store, clock, what, lambda: HAPPENINGS[what](store))

    async def test_through_another_engine(
        self, store: Store, clock: Watch, path: Path, what: str
    ) -> None:
        await self.ends(store, clock, what, lambda: happens(path, what))

    async def test_in_another_process(
        self, store: Store, clock: Watch, path: Path, what: str, elsewhere: Callable[..., None]
    ) -> None:
        await self.ends(store, clock, what, lambda: asyncio.to_thread(elsewhere, path, what))

    async def ends(
        self, store: Store, clock: Watch, what: str, end: Callable[[], Awaitable[None]]
    ) -> None:
        app = door(store)
        before = {who: await asks(app, headers, clock()) for who, headers in SHOWN.items()}
        await end()
        for who, headers in SHOWN.items():
            now = await outcome(app, headers, clock())
            assert now == await outcome(door(store), headers, clock()), who
            assert (ids(now) == ids(before[who])) is (who not in ENDED[what]), who


def ids(outcome: Outcome) -> tuple[str, str | None] | None:
    """Whom somebody is taken for, and for whom they act."""
    if not isinstance(outcome, Caller) or outcome.account is None:
        return None
    acting = outcome.acting_as
    return outcome.account.user_id, None if acting is None else acting.user_id


async def test_a_change_of_a_person_is_seen_at_once(store: Store, clock: Watch) -> None:
    app = door(store)
    await asks(app, BROWSER, clock())
    await HAPPENINGS["rename"](store)
    assert (await asks(app, BROWSER, clock())).person.display_name == "Benjamin"


class Meanwhile(Store):
    """A store in which something happens once, before or after one of the reads."""

    def __init__(self, store: Store, what: str, moment: int) -> None:
        super().__init__(store.engine)
        self._undisturbed = store
        self._what = what
        self._left = moment

    async def get(self, what: Ref[Any] | BoundPattern[Any]) -> Any:
        await self._moment()
        found = await super().get(what)
        await self._moment()
        return found

    async def _moment(self) -> None:
        self._left -= 1
        if self._left == -1:
            await HAPPENINGS[self._what](self._undisturbed)


@pytest.mark.parametrize("moment", range(6))
@pytest.mark.parametrize("who", SHOWN)
@pytest.mark.parametrize("what", ["sign_out", "revoke", "end_everything", "remove_mia"])
async def test_what_ends_while_somebody_is_looked_up_is_not_remembered(
    store: Store, clock: Watch, what: str, who: str, moment: int
) -> None:
    app = door(Meanwhile(store, what, moment))
    # Whether they are let in this time depends on the moment; either is right.
    await outcome(app, SHOWN[who], clock())
    again = await outcome(app, SHOWN[who], clock())
    assert again == await outcome(door(store), SHOWN[who], clock())


class TestWhateverHappens:
    @given(st.lists(st.sampled_from([*SHOWN, *HAPPENINGS, "a while"]), max_size=25))
    @settings(max_examples=40)
    def test_whoever_is_remembered_is_whoever_would_be_found(self, steps: list[str]) -> None:
        with TemporaryDirectory() as folder:
            asyncio.run(self.walk(Path(folder) / "callers.db", steps))

    async def walk(self, path: Path, steps: list[str]) -> None:
        clock = Watch()
        async with furnished(path, clock) as store:
            app = door(store)
            for step in steps:
                if step in SHOWN:
                    known = await outcome(app, SHOWN[step], clock())
                    assert known == await outcome(door(store), SHOWN[step], clock())
                elif step in HAPPENINGS:
                    with suppress(CommonroomError):
                        await HAPPENINGS[step](store)
                else:
                    clock.forward(40)
