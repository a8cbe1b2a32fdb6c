"""Options that commands share, and what they require."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from commonroom.errors import CommonroomError
from commonroom.settings import Settings, load

R = TypeVar("R")

OVERRIDES = ("data", "store", "host", "port", "workers")
"""Options that stand for the setting of the same name."""

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for programs rather than people."
)


def overrides(function: Callable[..., R]) -> Callable[..., R]:
    """Adds --data and --store, which every command takes."""
    data = click.option(
        "--data", metavar="FOLDER", help="The data folder, instead of the configured one."
    )
    store = click.option(
        "--store",
        type=click.Choice(["embedded", "dynamodb"]),
        help="The engine, instead of the configured one.",
    )
    return data(store(function))


def with_settings(function: Callable[..., R]) -> Callable[..., R]:
    """Passes a command the settings, with its options in place of what is set."""

    @wraps(function)
    def command(**options: Any) -> R:
        from commonroom.house.rooms import ROOMS

        given = {name: options.pop(name) for name in OVERRIDES if name in options}
        return function(load(given, os.environ, [room.key for room in ROOMS]), **options)

    return overrides(command)


class NotHere(CommonroomError):
    """A command that the configured engine has no use for."""

    title = "Not available with this engine"


def require_embedded(settings: Settings) -> None:
    """Refuses a command that copies the data file, where there is none."""
    if settings.store != "embedded":
        raise NotHere(
            "On DynamoDB, use its point-in-time recovery, or `commonroom export` and "
            "`commonroom import`: there is no data file to copy."
        )
