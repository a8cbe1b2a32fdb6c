"""Working through an import: lists are made, titles put on them, rated, and marked as seen."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.imports import worker
from commonroom.store import Write, put
from commonroom.titles.service import Titles
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.formats import CatalogueMatch, WatchlistRow
from commonroom.watchlists.rules.imports import (
    WatchlistImportChoices,
    is_extended,
    is_left_out,
    made_list_id,
    match_of,
)
from commonroom.watchlists.service.imports import WatchlistImportStatus
from commonroom.watchlists.service.imports.actions import (
    ImportAction,
    ImportPlan,
    ensure_titles,
    pack_actions,
    plan_opinions,
)
from commonroom.watchlists.service.imports.lifecycle import IMPORTS
from commonroom.watchlists.service.imports.placing import plan_listed
from commonroom.watchlists.service.lists import ListChange, change_list, list_writes, new_list
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.tables import ImportStep, UnmatchedRow, Watchlist, WatchlistImport

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
        wanted = [row for row in rows if not is_left_out(row, self._choices)]
        matched = [(row, match) for row in wanted if (match := self._match(row)) is not None]
        aside = [(place, row) for place, row in enumerate(rows) if self._is_put_aside(row)]

        async def build() -> list[Write]:
            plan = await self._plan(matched)
            left_out = len(rows) - len(matched) - len(aside)
            progress = self.progress_writes(
                len(rows),
                added=plan.added,
                skipped=plan.skipped + left_out,
                unmatched=len(aside),
            )
            put_aside = [self._put_aside(place, row) for place, row in aside]
            return [*progress, *plan.writes, *put_aside, *self._step_writes(plan.actions)]

        await self.write(build)
        self.advance(len(rows))

    async def _plan(self, matched: Sequence[tuple[WatchlistRow, CatalogueMatch]]) -> ImportPlan:
        if not matched:
            return ImportPlan()
        rows = [row for row, _ in matched]
        stored = await ensure_titles(self._ctx, self._titles, matched)
        if rows[0].item is None:
            return await plan_opinions(self._ctx, rows, stored, self._choices)
        return await plan_listed(self._ctx, self._kept.import_id, rows, stored, self._choices)

    def _match(self, row: WatchlistRow) -> CatalogueMatch | None:
        return match_of(row, self._choices)

    def _is_put_aside(self, row: WatchlistRow) -> bool:
        return self._match(row) is None and not is_left_out(row, self._choices)

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
        """Returns what is kept of actions, where there are any."""
        kept = self._kept
        step = ImportStep(
            import_id=kept.import_id,
            account_id=kept.account_id,
            part=kept.part,
            place=kept.place,
            deeds=pack_actions(actions),
        )
        return [put(step)] if actions else []

    def _list_id(self, row: WatchlistRow) -> str:
        return made_list_id(self._kept.import_id, row.list_number or 0)

    async def _make_list(self, row: WatchlistRow) -> None:
        """Makes a list, unless its titles come on one that is there."""

        async def build() -> list[Write]:
            is_made = not is_left_out(row, self._choices) and not is_extended(row, self._choices)
            writes = await self._list_writes(row) if is_made else []
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
        made = new_list(
            self._ctx,
            profile,
            list_id,
            is_public=False,
            title=listed.title,
            description=listed.description,
            tags=listed.tags,
            is_numbered=listed.is_numbered,
            cover_image_url=listed.cover_image_url,
        )
        action = ImportAction(
            number=row.number, file=row.file, title=row.title, list_id=list_id, text=listed.title
        )
        return [*list_writes(self._ctx, profile, made), *self._step_writes([action])]

    async def _end_list(self, row: WatchlistRow) -> None:
        """Chooses the cover and publishes a list that was made; again, if it was interrupted."""
        list_id = self._list_id(row)
        is_made = not is_left_out(row, self._choices) and not is_extended(row, self._choices)
        there = await self._store.get(Watchlist.at(watchlist_id=list_id)) if is_made else None
        if there is not None:
            await self._change(there, row)
        await self._store.write(*self.progress_writes(1))
        self.advance(1)

    async def _change(self, there: Watchlist, row: WatchlistRow) -> None:
        match = None if row.of is None else self._match(row)
        change = ListChange()
        if match is not None:
            cover = TitleId(match.content_type, match.content_id)
            change = replace(change, cover=cover)
        if self._choices.publishes:
            change = replace(change, is_public=True)
        if change == ListChange():
            return
        try:
            # Whether its owner may publish was asked when it began; who was suspended may not.
            await change_list(self._ctx, there.watchlist_id, change, who_publishes="everybody")
        except (Conflict, Forbidden, NotFound):
            return  # it stays private: its owner was suspended, or has deleted it


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
    seen: set[tuple[str, str]] = set()
    number = 0
    for row in rows[:most]:
        match = match_of(row, choices)
        title = None if match is None else (match.content_type, match.content_id)
        is_alike = row.is_counted and (row.item is None) == (first.item is None)
        if not is_alike or row.list_number != first.list_number or title in seen:
            break
        number += 1
        seen |= set() if title is None else {title}
    return rows[:number]
