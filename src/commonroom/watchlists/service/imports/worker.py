"""Working through an import: lists are made, titles put on them, rated, and marked as seen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.imports import worker
from commonroom.store import Write, put
from commonroom.titles.service import Titles
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.formats import WatchlistRow
from commonroom.watchlists.rules.imports import (
    WatchlistImportChoices,
    is_extended,
    is_left_out,
    made_list_id,
    match_of,
)
from commonroom.watchlists.service.imports import WatchlistImportStatus
from commonroom.watchlists.service.imports.actions import ImportAction, step_writes
from commonroom.watchlists.service.imports.lifecycle import IMPORTS
from commonroom.watchlists.service.imports.placing import plan_rows
from commonroom.watchlists.service.lists import ListChange, change_list, list_writes, new_list
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.tables import UnmatchedRow, WatchlistImport

MAX_ITEMS_TOGETHER = 25
"""An item, its pointer and its title: all fit into a transaction with the rest."""
MAX_OPINIONS_TOGETHER = 14
"""A rating, its title, its pointers, and what was seen."""


async def run_import(titles: Titles, ctx: Context, kept: WatchlistImport) -> None:
    """Does some of an import that runs, until it is over, is stopped, or time is up."""
    await WatchlistImportRun(titles, ctx, kept).work()


class WatchlistImportRun(worker.ImportRun[WatchlistImport, WatchlistRow, WatchlistImportStatus]):
    """An import of a person."""

    def __init__(self, titles: Titles, ctx: Context, kept: WatchlistImport) -> None:
        super().__init__(IMPORTS, ctx, kept)
        self._titles = titles
        self._choices = WatchlistImportChoices.of(kept, kept.without)

    async def run_batch(self, rows: Sequence[WatchlistRow]) -> None:
        """Does the next rows: titles of one list together, opinions together, the rest alone."""
        batch = next_batch(rows, self._choices)
        if batch[0].listed is not None:
            await self._make_list(batch[0])
        elif batch[0].ends_list:
            await self._end_list(batch[0])
        else:
            await self.try_to_add(batch)

    async def recover(self) -> None:
        """Goes on while the person is there."""
        if await self._store.get(self._ctx.person.ref) is None:
            raise NotFound("This account does not exist.")

    async def add(self, rows: Sequence[WatchlistRow]) -> None:
        """Does what there is to do for rows about titles, and puts those aside that have none."""
        choices = self._choices
        wanted = [(place, row) for place, row in enumerate(rows) if not is_left_out(row, choices)]
        found = [(place, row, match_of(row, choices)) for place, row in wanted]
        matched = [(row, match) for _, row, match in found if match is not None]
        aside = [self._put_aside(place, row) for place, row, match in found if match is None]

        async def build() -> list[Write]:
            import_id = self._kept.import_id
            plan = await plan_rows(self._ctx, self._titles, import_id, matched, choices)
            progress = self.progress_writes(
                len(rows),
                added=plan.added,
                skipped=plan.skipped + len(rows) - len(wanted),
                unmatched=len(aside),
            )
            return [*progress, *plan.writes, *aside, *self._step_writes(plan.actions)]

        await self.write(build)
        self.advance(len(rows))

    def _put_aside(self, place: int, row: WatchlistRow) -> Write:
        kept = self._kept
        return put(
            UnmatchedRow(
                import_id=kept.import_id,
                account_id=kept.account_id,
                part=kept.part,
                place=kept.place + place,
                title=row.title,
                year=None if row.of is None else row.of.year,
                row=msgspec.json.encode(row),
            )
        )

    def _step_writes(self, actions: Sequence[ImportAction]) -> list[Write]:
        return step_writes(self._kept, self._kept.part, self._kept.place, actions)

    def _list_id(self, row: WatchlistRow) -> str:
        return made_list_id(self._kept.import_id, row.list_number or 0)

    def _is_made(self, row: WatchlistRow) -> bool:
        """Whether a list is made, and its titles come on none that is there."""
        return not is_left_out(row, self._choices) and not is_extended(row, self._choices)

    async def _make_list(self, row: WatchlistRow) -> None:
        """Makes a list, unless its titles come on one that is there."""

        async def build() -> list[Write]:
            writes = await self._list_writes(row) if self._is_made(row) else []
            return [*self.progress_writes(1), *writes]

        try:
            await self.write(build)
        except Conflict as refused:
            await self.fail(row, refused)
        else:
            self.advance(1)

    async def _list_writes(self, row: WatchlistRow) -> list[Write]:
        listed, list_id = row.listed, self._list_id(row)
        if listed is None:
            return []
        profile = await ensure_profile(self._ctx)
        made = new_list(self._ctx, profile, list_id, is_public=False, **asdict(listed))
        action = ImportAction(
            number=row.number, file=row.file, title=row.title, list_id=list_id, text=listed.title
        )
        return [*list_writes(self._ctx, profile, made), *self._step_writes([action])]

    async def _end_list(self, row: WatchlistRow) -> None:
        """Chooses the cover and publishes a list that was made; again, if it was interrupted."""
        match = None if row.of is None else match_of(row, self._choices)
        change = ListChange(
            cover=UNSET if match is None else TitleId.of(match),
            is_public=True if self._choices.publishes else UNSET,
        )
        if self._is_made(row) and change != ListChange():
            # Whether its owner may publish was asked when it began; who was suspended may not. It
            # stays private then, or is gone where its owner has deleted it.
            with suppress(Conflict, Forbidden, NotFound):
                list_id = self._list_id(row)
                await change_list(self._ctx, list_id, change, who_publishes="everybody")
        await self._store.write(*self.progress_writes(1))
        self.advance(1)


def next_batch(
    rows: Sequence[WatchlistRow], choices: WatchlistImportChoices
) -> Sequence[WatchlistRow]:
    """Returns the first row, and as many behind it as fit into one transaction with it.

    Rows about one title are apart: each finds what came of the one before it.
    """
    first = rows[0]
    if not first.is_counted:
        return rows[:1]
    most = MAX_OPINIONS_TOGETHER if first.item is None else MAX_ITEMS_TOGETHER
    seen: set[TitleId] = set()
    number = 0
    for row in rows[:most]:
        match = match_of(row, choices)
        title = None if match is None else TitleId.of(match)
        is_alike = row.is_counted and (row.item is None) == (first.item is None)
        if not is_alike or row.list_number != first.list_number or title in seen:
            break
        number += 1
        seen |= set() if title is None else {title}
    return rows[:number]
