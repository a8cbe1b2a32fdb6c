"""`commonroom model`: the data model, from its declarations."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import print_json
from commonroom.settings import Loaded


@click.command("model")
@with_settings
@json_option
@click.option(
    "--against",
    is_flag=True,
    help="Compare the declarations with the five data models instead, and fail where they deviate "
    "without a reason.",
)
@click.option("--markdown", is_flag=True, help="With --against, print every deviation as Markdown.")
@click.option(
    "--documents",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="With --against, the statements of this folder instead of those that come along.",
)
def command(
    _: Loaded, *, as_json: bool, against: bool, markdown: bool, folder: Path | None
) -> None:
    """Print the data model: tables, keys, access patterns, and what follows from a write."""
    if against:
        _compare(folder, as_json=as_json, markdown=markdown)
        return
    from commonroom.data_models.markdown import model_page
    from commonroom.data_models.statements import documents
    from commonroom.house.consequences import consequences_of, read_declarations
    from commonroom.model import MODEL

    if as_json:
        print_json(MODEL.as_json() | msgspec.to_builtins(consequences_of(read_declarations())))
    else:
        click.echo(model_page(MODEL, documents()), nl=False)


def _compare(folder: Path | None, *, as_json: bool, markdown: bool) -> None:
    from commonroom.data_models.comparison import compare
    from commonroom.data_models.markdown import comparison_tables
    from commonroom.data_models.report import problems, report
    from commonroom.data_models.statements import documents
    from commonroom.model import MODEL

    comparisons = [compare(name, one, MODEL) for name, one in documents(folder).items()]
    if as_json:
        print_json([one.as_json() for one in comparisons])
    elif markdown:
        click.echo(comparison_tables(comparisons), nl=False)
    else:
        for line in (line for one in comparisons for line in report(one)):
            click.echo(line)
    wrong = [line for one in comparisons for line in problems(one)]
    for line in wrong:
        click.echo(line, err=True)
    if wrong:
        raise click.exceptions.Exit(1)
