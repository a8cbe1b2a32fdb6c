"""`commonroom check`: finds drift in the data, and repairs it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import count_progress, print_json
from commonroom.settings import Loaded, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonroom.store.checking import CheckSummary, ReportedProblem

MAX_LISTED = 1000
"""How many problems --json lists; the numbers count all of them."""


@click.command("check")
@click.option(
    "--repair",
    is_flag=True,
    help=(
        "Fix what can be fixed, and delete leftovers of deleted things. Never use it while an "
        "import is unfinished: what has arrived so far looks like leftovers."
    ),
)
@with_settings
@json_option
def command(loaded: Loaded, *, repair: bool, as_json: bool) -> None:
    """Check the data for inconsistencies; fix them with --repair.

    Every item must be what is declared, under the keys that its fields give, with copies that
    equal their originals; what rules rest on, such as counts, claims and pointers, must be what
    the items say that it was made from; nothing may be left over from what was deleted; the search
    index must have what is public as it is, and nothing else. What changes that were not processed
    yet may fix is on its way: a running Commonroom is waited for. The exit code is 1 if something
    else is wrong and was not fixed.
    """
    listed: list[ReportedProblem] = []

    def report(problem: ReportedProblem) -> None:
        if not as_json:
            click.echo(_line(problem))
        elif len(listed) < MAX_LISTED:
            listed.append(problem)

    outcome = asyncio.run(_check(loaded.settings, report, repair=repair, quiet=as_json))
    if as_json:
        numbers = {"items": outcome.items, "found": outcome.found, "repaired": outcome.repaired}
        counts = {"on_its_way": outcome.on_its_way, "left": outcome.left}
        print_json(numbers | counts | {"problems": listed})
    else:
        click.echo(_summary(outcome, repair=repair))
    if outcome.left:
        raise SystemExit(1)


async def _check(
    settings: Settings, report: Callable[[ReportedProblem], None], *, repair: bool, quiet: bool
) -> CheckSummary:
    from commonroom.house.checks import HouseProgress, all_checks
    from commonroom.house.consumers import data_consumers
    from commonroom.house.rooms import ROOMS
    from commonroom.house.search import index_progress, open_indexer
    from commonroom.model import MODEL
    from commonroom.open_store import open_store, require_tables
    from commonroom.search.checking import check_index
    from commonroom.search.index import SearchUnavailable
    from commonroom.store.checking import check_store, repair_store
    from commonroom.store.upgrades.tables import upgrades

    async with open_store(settings, only_reading=not repair, patient=True) as store:
        await require_tables(store)
        with count_progress("Checking", quiet=quiet) as progress:
            run = repair_store if repair else partial(check_store, repair=False)
            summary = await run(
                store,
                [table for table in MODEL.tables if table is not upgrades],
                all_checks(ROOMS),
                report=report,
                progress=progress,
                grace=HouseProgress(store, data_consumers(settings)),
            )
            # Where there is no index, or it cannot be asked, `commonroom doctor` says so.
            with suppress(SearchUnavailable):
                async with open_indexer(settings, store, only_reading=not repair) as indexer:
                    summary += await check_index(
                        indexer,
                        repair=repair,
                        report=report,
                        progress=progress,
                        grace=index_progress(indexer, settings),
                    )
        return summary


def _line(problem: ReportedProblem) -> str:
    key = " / ".join(map(str, problem.key))
    state = "repaired" if problem.repaired else "on its way" if problem.on_its_way else "wrong"
    return f"{state}  {problem.check}  {problem.table}  {key}\n        {problem.detail}"


def _summary(outcome: CheckSummary, *, repair: bool) -> str:
    if not outcome.found:
        return f"{outcome.items:,} items, no problems found."
    parts = [f"{outcome.items:,} items, {outcome.found:,} problems"]
    if repair:
        parts.append(f"{outcome.repaired:,} repaired")
    if outcome.on_its_way:
        parts.append(f"{outcome.on_its_way:,} on their way")
    parts.append(f"{outcome.left:,} left")
    sentences = [", ".join(parts) + "."]
    if outcome.on_its_way:
        sentences.append("Changes are not all processed yet; Commonroom does that while it runs.")
    if outcome.left and not repair:
        sentences.append("--repair fixes what it can.")
    return " ".join(sentences)
