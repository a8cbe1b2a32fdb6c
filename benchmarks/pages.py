"""HTML pages: what each costs the server, against the commit before the template engine changed.

python -m benchmarks.pages FOLDER furnishes a house, by whichever package is found first.
"""

from __future__ import annotations

import asyncio
import io
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from benchmarks import serving
from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, speed
from benchmarks.serving import Serving
from benchmarks.visiting import visitors
from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.house.demo import seed_demo
from commonroom.library.pages.addresses import library
from commonroom.library.service.libraries import my_libraries
from commonroom.movienight.pages.rounds import address_of as round_address
from commonroom.movienight.service.household_context import find_household_context
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.listing import pages_of
from commonroom.store import Store
from tests.support.dynamodb_local import ROOT, Unavailable
from tests.support.server import clean_environment

BEFORE = "6c9aa05e90cc68b974e51cbb62df3eb8342e7041"
"""Pages rendered by Jinja2."""
ROUNDS, WARM_UP, CALLS = 20, 2, 48
AT_LEAST, AT_LEAST_COLD = 3.0, 2.4
SENTENCE = (
    "How many of these pages of the demonstration a second of processor time of the server makes, "
    "against the commit before the template engine changed."
)
HOME_AT_LEAST = 0.6
HOME_SENTENCE = (
    "How many a second of processor time of the server makes: what is up with a person in all "
    "rooms of the demonstration, against the page of their household alone."
)
COLD = f"{SENTENCE} Ours forgets what it worked out for earlier pages before every request."


async def compare(folder: Path, commit: str = BEFORE, rounds: int = ROUNDS) -> list[Comparison]:
    """Every page in a furnished house, by the processor time that a request takes.

    Once as it is, and once where nothing is kept from one request to the next of how covers and
    posters are drawn and what is said of codes. Nothing rendered that holds anybody's values ever
    is; what either side remembers besides, such as who asks, it remembers here as well.
    """
    before = _check_out(commit, folder / "before")
    data = [folder / name for name in ("ours", "cold", "theirs")]
    cookie, pages = _furnish_by(before, data[0])
    for copy in data[1:]:
        shutil.copytree(data[0], copy)
    with (
        serving.ours(data[0]) as ours,
        serving.forgetful(data[1]) as cold,
        serving.earlier(data[2], before) as theirs,
    ):
        servers = (ours, cold, theirs)
        for one in servers:
            await one.first_answer("/health/live")
            await one.idle()
        rows = []
        for name, path in pages.items():
            warm, forgetful, earlier = await _measure(path, cookie, servers, rounds)
            row = partial(speed, against="the same with Jinja2", rounds=rounds)
            rows += [
                row(
                    f"{name} as HTML",
                    *typical(warm, earlier),
                    sentence=SENTENCE,
                    at_least=AT_LEAST,
                ),
                row(
                    f"{name} as HTML, nothing kept",
                    *typical(forgetful, earlier),
                    sentence=COLD,
                    at_least=AT_LEAST_COLD,
                ),
            ]
        return [*rows, await compare_home(folder / "today", rounds)]


async def compare_home(data: Path, rounds: int = ROUNDS) -> Comparison:
    """Home against the household's page, for the same person in today's demonstration."""
    cookie, _pages = _furnish_by(ROOT / "src", data)
    with serving.ours(data) as ours:
        await ours.first_answer("/health/live")
        await ours.idle()
        sides = [
            await visitors(ours.port, path, cookie, alike=False) for path in ("/", "/movie-night")
        ]
        try:
            home, household = await in_turns(
                *(partial(side.ask, CALLS) for side in sides),
                calls=CALLS,
                rounds=rounds,
                warm_up=WARM_UP,
                clock=ours.cpu_seconds,
            )
        finally:
            for side in sides:
                side.close()
    return speed(
        "home as HTML",
        *typical(home, household),
        rounds,
        against="the household’s page in the same run",
        sentence=HOME_SENTENCE,
        at_least=HOME_AT_LEAST,
    )


async def _measure(
    path: str, cookie: str, servers: Sequence[Serving], rounds: int
) -> list[list[float]]:
    sides = [await visitors(one.port, path, cookie, alike=False) for one in servers]
    try:
        return await in_turns(
            *(partial(side.ask, CALLS) for side in sides),
            calls=CALLS,
            rounds=rounds,
            warm_up=WARM_UP,
            # One works while the others are idle, so that what all have used is what one has.
            clock=lambda: sum(one.cpu_seconds() for one in servers),
        )
    finally:
        for side in sides:
            side.close()


def _check_out(commit: str, folder: Path) -> Path:
    """The package as it was at a commit."""
    packed = subprocess.run(
        ["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=False
    )
    if packed.returncode:
        raise Unavailable(f"This checkout does not have the commit {commit}.")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        # Python before 3.11.4 has no filters; what is in there comes from this repository.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)  # noqa: S202 (our own files)
    return folder / "src"


def _furnish_by(package: Path, data: Path) -> tuple[str, dict[str, str]]:
    """The demonstration as an earlier package makes it: ours can open its data, not it ours."""
    made = subprocess.run(
        [sys.executable, "-m", "benchmarks.pages", str(data)],
        cwd=ROOT,
        env=clean_environment() | {"PYTHONPATH": str(package)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return msgspec.json.decode(made.stdout, type=tuple[str, dict[str, str]])


async def _furnish(settings: Settings) -> tuple[str, dict[str, str]]:
    """The demonstration: Maya's session, and the addresses of pages by name."""
    async with open_store(settings, create=True) as store:
        now = time.time()
        maya = (await seed_demo(store, now)).maya
        session = await sessions.open_session(store, now, maya)
        return f"session={session}", await _pages(store, maya, now)


async def _pages(store: Store, person: User, now: float) -> dict[str, str]:
    known = await store.get(person.ref)
    assert known is not None
    ctx = Context(store, known, now)
    libraries, seat = await my_libraries(ctx), await find_household_context(ctx, known)
    assert seat is not None
    made = await pages_of(store, now, known.user_id)
    shared = {one.kind: address_of(one.short_id) for one in made.items}
    return {
        # Not home: it said nothing of the rooms then (`compare_home`).
        "one’s profile": "/me",
        "the shelf of a library": library(libraries.items[0].library_id),
        "a household": "/movie-night",
        "a round": round_address(seat.group.open_round_id or ""),
        "history": "/movie-night/history",
        "a poll": shared["poll"],
        "a checklist": shared["checklist"],
    }


if __name__ == "__main__":
    furnished = asyncio.run(_furnish(Settings(data=Path(sys.argv[1]))))
    sys.stdout.buffer.write(msgspec.json.encode(furnished))
