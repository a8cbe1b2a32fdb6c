"""`commonroom import --adopt`: tables of another application into whichever engine is set."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commonroom.cli.output import count_progress, print_json
from commonroom.settings import Settings

if TYPE_CHECKING:
    from commonroom.adoption.adopting import Adopted
    from commonroom.adoption.set_aside import CountedAside
    from commonroom.store import Store
    from commonroom.store.transfer import ForeignTable


MAX_REASONS = 20
"""How many reasons are shown; the file has all of them, and --json counts all."""


class NamedFiles(click.ParamType[tuple[str, Path]]):
    """`NAME=FILE`, which says of which table a file is."""

    name = "NAME=FILE"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Path]:
        """Returns the two parts."""
        table, is_said, file = value.partition("=")
        if not (table and is_said and file):
            self.fail(f"{value!r} is not NAME=FILE.", param, ctx)
        return table, Path(file)


async def adopt(
    settings: Settings,
    folder: Path | None,
    named: Sequence[tuple[str, Path]],
    *,
    set_aside: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Adopts tables and says what came of it; a dry run does so in a copy that nobody keeps."""
    from commonroom.adoption.adopting import begin
    from commonroom.adoption.set_aside import AsideFile, CountedAside
    from commonroom.open_store import PORTABLE, open_store, require_tables
    from commonroom.store.transfer import find_tables

    sources = find_tables(folder, dict(named), PORTABLE, prefix=settings.dynamodb_prefix)
    if dry_run:
        async with _copied(settings) as copy:
            counted = CountedAside()
            done = await _run(copy, sources, counted, quiet=as_json)
        _report(done, counted, None, as_json=as_json)
        return
    async with open_store(settings, create=True, patient=True) as store:
        await require_tables(store)
        state = await begin(store, sources)
        path = set_aside or _beside(folder or sources[0].files[0])
        # What was set aside while it was loaded is set aside again; what a repair took away is not.
        length = path.stat().st_size if state.is_loaded and path.exists() else state.aside_bytes
        with AsideFile(path, length=length) as aside:
            done = await _run(store, sources, aside, quiet=as_json)
        _report(done, aside, path, as_json=as_json)


async def _run(
    store: Store, sources: Sequence[ForeignTable], aside: CountedAside, *, quiet: bool
) -> Adopted:
    from commonroom.accounts.tables import users
    from commonroom.adoption.adopting import adopt as run
    from commonroom.adoption.adopting import begin
    from commonroom.store.errors import Refused
    from commonroom.store.transfer import nonempty_tables

    state = await begin(store, sources)
    if not state.adopted:
        # People may be there, such as the administrator; of all else, nobody knows whose it is.
        tables = [source.table for source in sources if source.table is not users]
        if used := await nonempty_tables(store.engine, tables):
            raise Refused(
                f"There is data in {', '.join(used)}; nothing was adopted. Adopt into tables "
                "that are empty, such as of a new data folder."
            )
    with (
        count_progress("Adopting", quiet=quiet) as loading,
        count_progress("Checking", quiet=quiet) as checking,
    ):
        return await run(store, state, sources, aside, loading=loading, checking=checking)


@asynccontextmanager
async def _copied(settings: Settings) -> AsyncIterator[Store]:
    """A copy of all that is stored, in a file that goes afterwards."""
    from commonroom.model import MODEL
    from commonroom.open_store import PORTABLE, open_store
    from commonroom.store import Store
    from commonroom.store.embedded import EmbeddedEngine

    with tempfile.TemporaryDirectory() as folder:
        copy = Store(EmbeddedEngine(Path(folder) / "copy.db", MODEL.tables, durability="OFF"))
        try:
            if settings.store == "dynamodb" or settings.data_file.exists():
                async with open_store(settings, only_reading=True, patient=True) as store:
                    for table in PORTABLE:
                        start, first = None, True
                        while first or start is not None:
                            rows = await store.engine.scan(table, limit=500, start=start)
                            await copy.engine.load(table, rows.items)
                            start, first = rows.next, False
            yield copy
        finally:
            await copy.close()


def _beside(source: Path) -> Path:
    return source.resolve().parent / f"{source.resolve().name}.set-aside.jsonl"


def _report(done: Adopted, aside: CountedAside, path: Path | None, *, as_json: bool) -> None:
    reasons = [
        {"table": table, "reason": reason, "items": count}
        for (table, reason), count in aside.reasons.most_common()
    ]
    items, repaired = sum(done.tables.values()), sum(done.repairs.values())
    if as_json:
        counts = {"items": items, "tables": done.tables, "repairs": done.repairs}
        print_json(counts | {"left": done.left, "set_aside": reasons})
        return
    would = "" if path else "would be "
    click.echo(f"{items:,} items of {len(done.tables)} tables {would or 'were '}adopted.")
    click.echo(f"{repaired:,} repairs {would or 'were '}made: counts, copies, claims, ways back.")
    for one in reasons[:MAX_REASONS]:
        click.echo(f"{would}set aside: {one['items']:,} of {one['table']}: {one['reason']}")
    if len(reasons) > MAX_REASONS:
        click.echo(f"… and for {len(reasons) - MAX_REASONS:,} other reasons.")
    if reasons and path:
        click.echo(f"What was set aside is in {path}; each line says why.")
    if done.left:
        click.echo(f"{done.left:,} problems are left; `commonroom check` names them.")
        raise SystemExit(1)
