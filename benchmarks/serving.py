"""The two servers, each in a process of its own: ours as people run it, and the bare one."""

from __future__ import annotations

import asyncio
import math
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from benchmarks.visiting import answered
from tests.support.dynamodb_local import ROOT, Unavailable, free_port
from tests.support.server import clean_environment

START_SECONDS = 120.0
"""Only for what never answers: a busy machine may take its time."""


class Serving:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.port = port
        self._process = process
        self._started = time.perf_counter()

    async def first_answer(self, path: str, cookie: str = "") -> float:
        """How many seconds after its start it answers."""
        async with asyncio.timeout(START_SECONDS):
            while True:
                try:
                    await answered(self.port, path, cookie)
                except ConnectionRefusedError:
                    if self._process.poll() is not None:
                        raise RuntimeError("The server ended by itself.") from None
                    await asyncio.sleep(0.005)
                else:
                    return time.perf_counter() - self._started

    def megabytes(self) -> float | None:
        """What it holds in memory; None where the system does not tell."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return None
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmRSS"].split()[0]) / 1000

    async def idle(self) -> None:
        """Waits until it has done what followed from filling its data."""
        async with asyncio.timeout(START_SECONDS):
            worked = math.inf
            while worked > 0.05:
                before = self.cpu_seconds()
                await asyncio.sleep(1)
                worked = self.cpu_seconds() - before

    def cpu_seconds(self) -> float:
        """How long its processors have worked for it."""
        threads = list(Path(f"/proc/{self._process.pid}/task").glob("*/schedstat"))
        if not threads:
            raise Unavailable("This system does not tell what a process has used.")
        return sum(int(one.read_text().split()[0]) for one in threads) / 1e9


@contextmanager
def ours(data: Path, **environment: str) -> Iterator[Serving]:
    """Commonroom; without a line in the log for every request, which the other does not write."""
    serve = (_hidden_modules(), "serve", "--data", str(data), "--port")
    with _running("benchmarks.installed", *serve, **environment) as serving:
        yield serving


@contextmanager
def forgetful(data: Path) -> Iterator[Serving]:
    """Commonroom that keeps nothing of what it works out for a page."""
    with _running("benchmarks.forgetful", "serve", "--data", str(data), "--port") as serving:
        yield serving


@contextmanager
def earlier(data: Path, package: Path) -> Iterator[Serving]:
    """Commonroom as it once was, with the libraries that it had then."""
    nothing_hidden = ""
    serve = (nothing_hidden, "serve", "--data", str(data), "--port")
    with _running("benchmarks.installed", *serve, PYTHONPATH=str(package)) as serving:
        yield serving


@contextmanager
def bare(file: Path) -> Iterator[Serving]:
    """The same answers by hand."""
    with _running("benchmarks.bare_server", str(file)) as serving:
        yield serving


@contextmanager
def bare_writes(file: Path, plans: Path) -> Iterator[Serving]:
    """The same changes by hand."""
    with _running("benchmarks.bare_writes", str(file), str(plans)) as serving:
        yield serving


@contextmanager
def fastapi(file: Path) -> Iterator[Serving]:
    """The same answers as most would write them, from a database of its own."""
    with _running("benchmarks.fastapi_server", str(file)) as serving:
        yield serving


@contextmanager
def django(file: Path) -> Iterator[Serving]:
    """The same answers by another framework, from the same database as FastAPI's."""
    with _running("benchmarks.django_server", str(file)) as serving:
        yield serving


@cache
def _hidden_modules() -> str:
    """The modules in this environment that an installation does not have."""
    locked = (ROOT / "requirements.lock").read_text()
    installed = {"commonroom", *map(_plain, re.findall(r"^([\w.-]+)==", locked, re.MULTILINE))}
    return ",".join(
        name
        for name, owners in packages_distributions().items()
        if name.isidentifier() and not installed.intersection(map(_plain, owners))
    )


def _plain(name: str) -> str:
    """A distribution's name as it is compared with others."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _environment() -> dict[str, str]:
    """As a service has it: byte code is kept, so that only the first start compiles everything."""
    clean = clean_environment() | {"COMMONROOM_LOG_LEVEL": "warning"}
    clean.pop("PYTHONDONTWRITEBYTECODE", None)
    return clean


@contextmanager
def _running(module: str, *arguments: str, **environment: str) -> Iterator[Serving]:
    """A server that is given its port last."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments, str(port)],
        cwd=ROOT,
        env=_environment() | environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield Serving(process, port)
    finally:
        process.kill()
        process.wait()
