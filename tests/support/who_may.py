"""The tables of who may do what: a line for each route, a column for each caller.

`python -m tests.support.who_may tests.library.api.test_who_may` prints the table as it is, of the
module's `TABLE`; read every line of it before you put it into the file beside the module.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import pytest
from httpx import ASGITransport, AsyncClient, Response

from commonroom.http.application import App
from commonroom.http.routes import Router

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Route: TypeAlias = tuple[str, str]
"""A method and a path."""


class House(Protocol[T_co]):
    """An installation in which every question is asked as if it were the first."""

    async def ask(self, caller: str, method: str, path: str) -> T_co:
        """What a caller is told."""
        ...


class WhoMay(Generic[T]):
    """A table, and the house that it is about."""

    def __init__(
        self,
        file: Path,
        *,
        callers: Sequence[str],
        routes: Sequence[Route],
        house: Callable[[Path], AbstractAsyncContextManager[House[T]]],
        cell: Callable[[T], str],
        unwritten: str | None = None,
    ) -> None:
        """Lines in which every caller has the cell `unwritten` are left out, where one is given."""
        self.callers = callers
        self.routes = routes
        self._file, self._house, self._cell = file, house, cell
        self._usual = None if unwritten is None else dict.fromkeys(callers, unwritten)
        self._written = _read(file)

    def check_nothing_is_missing(self) -> None:
        """Fails unless the table has exactly these callers and routes."""
        wanted = {route: sorted(self.callers) for route in self.routes}
        assert {route: sorted(row) for route, row in self._written.items()} == wanted

    @property
    def each_route(self) -> pytest.MarkDecorator:
        """A test of its own for each line."""
        names = [" ".join(route) for route in self.routes]
        return pytest.mark.parametrize("method, path", self.routes, ids=names)

    @property
    def each_caller(self) -> pytest.MarkDecorator:
        """A test of its own for each column."""
        return pytest.mark.parametrize("caller", self.callers)

    async def ask_everybody(self, house: House[T], method: str, path: str) -> dict[str, T]:
        """What every caller is told of a route, compared with the table."""
        told = {caller: await house.ask(caller, method, path) for caller in self.callers}
        assert self._cells(told) == self._row((method, path))
        return told

    async def ask_everything(self, house: House[T], caller: str) -> dict[Route, T]:
        """What one caller is told of every route, compared with the table."""
        told = {route: await house.ask(caller, *route) for route in self.routes}
        written = {route: row[caller] for route in self.routes if (row := self._row(route))}
        assert self._cells(told) == written
        return told

    async def lines(self, folder: Path) -> list[str]:
        """The table as it is."""
        rows = [["", "", *self.callers]]
        async with self._house(folder) as house:
            for method, path in self.routes:
                told = {caller: await house.ask(caller, method, path) for caller in self.callers}
                if (cells := self._cells(told)) != self._usual:
                    rows.append([method, path, *cells.values()])
        return list(_aligned(rows))

    def _row(self, route: Route) -> dict[str, str] | None:
        return self._written.get(route, self._usual)

    def _cells(self, told: Mapping[Any, T]) -> dict[Any, str]:
        return {name: self._cell(one) for name, one in told.items()}


def _read(file: Path) -> dict[Route, dict[str, str]]:
    """Columns are two spaces apart, or more: what stands in them may have single ones."""
    header, *lines = (re.split(r" {2,}", line.strip()) for line in file.read_text().splitlines())
    return {(method, path): dict(zip(header, cells, strict=True)) for method, path, *cells in lines}


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "".join(f"{cell:<{width}}" for cell, width in cells).rstrip()


def routes_of(routers: Iterable[Router], *, below: str = "", keep: bool = False) -> list[Route]:
    """Every method and path of some routers below a path, which is left out unless it is kept."""
    found = sorted(
        (one.template, one.method)
        for router in routers
        for one in router.endpoints()
        if one.template.startswith(below)
    )
    return [(method, path if keep else path.removeprefix(below)) for path, method in found]


async def send(
    app: App, method: str, path: str, *, address: str = "127.0.0.1", **options: Any
) -> Response:
    """Sends one request by a client that keeps nothing."""
    transport = ASGITransport(app, client=(address, 1))
    async with AsyncClient(transport=transport, base_url="http://commonroom.test") as client:
        return await client.request(method, path, **options)


def yes_or_status(answer: Response) -> str:
    """`yes`, or the status of the refusal."""
    return "yes" if answer.is_success else str(answer.status_code)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as somewhere:
        table: WhoMay[Any] = import_module(sys.argv[1]).TABLE
        print("\n".join(asyncio.run(table.lines(Path(somewhere)))))
