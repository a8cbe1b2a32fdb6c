"""What a module declares is part of the house: nothing is declared, and then forgotten."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from inspect import getsource
from pathlib import Path
from pkgutil import walk_packages
from typing import TypeVar

import commonroom
from commonroom.notifications.kinds import Kind
from commonroom.settings import Settings
from commonroom.store.streams import Consumer
from tests.house.test_consequences import HOUSE, KNOWN, kinds_told
from tests.support.application import application_without_store
from tests.support.reached_code import functions_in, reach

T = TypeVar("T")
SOURCE = Path(commonroom.__file__).parent
ANNOUNCED = {kind.name for one in HOUSE.consumers for kind in one.tells} | {
    kind.name for one in HOUSE.timer_handlers.values() for kind in getattr(one, "tells", ())
}
"""The notifications that consumers and timers send."""


def declared(kind: type[T]) -> Iterator[tuple[str, T]]:
    """Yields what modules declare of a type, with the name that it has there."""
    for found in walk_packages(commonroom.__path__, "commonroom."):
        if not found.name.endswith("__main__"):
            for name, value in vars(import_module(found.name)).items():
                if isinstance(value, kind):
                    yield f"{found.name}.{name}", value


def test_every_consumer_that_is_declared_runs() -> None:
    running = {id(one) for one in HOUSE.consumers}
    forgotten = [name for name, one in declared(Consumer) if id(one) not in running]
    assert forgotten == []


def test_every_notification_that_is_declared_is_known() -> None:
    forgotten = [name for name, one in declared(Kind) if HOUSE.kinds.get(one.name) is not one]
    assert forgotten == []


def test_every_notification_is_sent() -> None:
    acts = {endpoint.route.function for endpoint in application_without_store().routes}
    by_acts = {kind for one in acts for kind in kinds_told(reach(functions_in(one), KNOWN))}
    assert HOUSE.kinds.keys() - ANNOUNCED - by_acts == set()


def test_whatever_consumers_want_has_a_stream() -> None:
    wanted = {(one.name, entity) for one in HOUSE.consumers for entity in one.wants}
    silent = [(name, it.__name__) for name, it in wanted if not it.schema.table.stream]
    assert silent == []


def test_every_setting_is_read() -> None:
    code = "".join(one.read_text() for one in SOURCE.rglob("*.py"))
    read = {*re.findall(r"\bsettings\.(\w+)", code)}
    read |= {*re.findall(r"\bself\.(\w+)", getsource(Settings))}
    assert {*Settings.__struct_fields__} - read == set()


def test_a_setting_that_a_service_takes_is_given_by_pages_and_api() -> None:
    takes = {
        (room, made.name): one.arg
        for room, made in parsed("service", ast.AsyncFunctionDef)
        for one in made.args.kwonlyargs
        if one.arg in Settings.__struct_fields__
    }
    assert takes["watchlists", "create_list"] == "who_publishes"
    without = [
        (room, name)
        for room, call in [*parsed("api", ast.Call), *parsed("pages", ast.Call)]
        if (room, name := getattr(call.func, "attr", getattr(call.func, "id", ""))) in takes
        if takes[room, name] not in [one.arg for one in call.keywords]
    ]
    assert without == []


def parsed(folder: str, kind: type[T]) -> Iterator[tuple[str, T]]:
    """Yields what the modules in folders of a name have of a kind of syntax, with its package."""
    for one in SOURCE.glob(f"*/{folder}/**/*.py"):
        found = ast.walk(ast.parse(one.read_text()))
        yield from ((one.relative_to(SOURCE).parts[0], it) for it in found if isinstance(it, kind))
