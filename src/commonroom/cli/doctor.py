"""`commonroom doctor`: what is wrong with an installation, and how to repair it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

import click

from commonroom.cli.options import json_option, overrides
from commonroom.cli.output import print_json

if TYPE_CHECKING:
    from commonroom.doctor import Finding

MARKS = {"ok": ("ok", "green"), "warning": ("warning", "yellow"), "problem": ("problem", "red")}


@click.command("doctor")
@overrides
@json_option
def command(*, as_json: bool, **options: Any) -> None:
    """Check an installation for problems and say how to fix them.

    Nothing is changed. The exit code is 1 if there is a problem.
    """
    from commonroom.doctor import examine

    findings = asyncio.run(examine(options, os.environ))
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            _print(finding)
    if any(finding.level == "problem" for finding in findings):
        raise SystemExit(1)


def _print(finding: Finding) -> None:
    word, colour = MARKS[finding.level]
    click.echo(f"{click.style(f'{word:>7}', fg=colour)}  {finding.about}: {finding.detail}")
    if finding.repair:
        click.echo(f"{'':9}{finding.repair}")
