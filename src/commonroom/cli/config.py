"""`commonroom config`: every setting, its value, and where it comes from."""

from __future__ import annotations

from typing import Any

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import print_columns, print_json
from commonroom.settings import DESCRIBED, Loaded

HIDDEN = "(hidden)"


@click.command("config")
@with_settings
@json_option
def command(loaded: Loaded, *, as_json: bool) -> None:
    """List every setting with its value and source.

    Secrets are hidden.
    """
    values = {name: _shown(loaded, name) for name in DESCRIBED}
    if as_json:
        print_json(
            {
                name: {
                    "value": value,
                    "origin": loaded.origins[name].kind,
                    "from": loaded.origins[name].name,
                    "variable": DESCRIBED[name].variable,
                }
                for name, value in values.items()
            }
        )
        return
    print_columns(
        (DESCRIBED[name].variable, _text(value), str(loaded.origins[name]))
        for name, value in values.items()
    )
    if loaded.file is not None:
        click.echo(f"\nSettings file: {loaded.file}")


def _shown(loaded: Loaded, name: str) -> Any:
    value = getattr(loaded.settings, name)
    if DESCRIBED[name].secret and value:
        return HIDDEN
    return value if isinstance(value, bool | int) else str(value)


def _text(value: Any) -> str:
    return "–" if value == "" else str(value).lower() if isinstance(value, bool) else str(value)
