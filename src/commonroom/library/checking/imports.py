"""Imports: each is into a library that is there, and nothing is kept of one that is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeAlias

from commonroom.library.checking.references import Fault, Found, Rule, as_read
from commonroom.library.consumers.imports import OVER
from commonroom.library.tables import Import, ImportReport, ImportRows, Library
from commonroom.store import Ref, check, delete, new, unequal

Part: TypeAlias = ImportRows | ImportReport


def _refers(kept: Import) -> Iterator[Ref[Any]]:
    yield _library(kept)


async def _judge(kept: Import, found: Found) -> AsyncIterator[Fault]:
    if found.at(_library(kept)) is None:
        gone = check(_library(kept), if_=new)
        detail = f"The library that “{kept.file_name}” was imported into was deleted."
        yield Fault("orphans", detail, [gone, delete(kept, if_=as_read(kept, "import_id"))])


def _part_refers(part: Part) -> Iterator[Ref[Any]]:
    yield _import(part)


async def _judge_part(part: Part, found: Found) -> AsyncIterator[Fault]:
    kept = found.at(_import(part))
    if kept is None or (isinstance(kept, Import) and kept.import_id != part.import_id):
        gone = check(_import(part), if_=new | unequal(import_id=part.import_id))
        yield Fault("orphans", "It belongs to an import that was deleted.", [gone, delete(part)])
    elif isinstance(kept, Import) and isinstance(part, ImportRows) and kept.state in OVER:
        over = check(kept, if_=as_read(kept, "import_id", "state"))
        yield Fault("orphans", "It belongs to an import that is finished.", [over, delete(part)])


def _library(kept: Import) -> Ref[Library]:
    return Library.at(owner_id=kept.owner_id, library_id=kept.library_id)


def _import(part: Part) -> Ref[Import]:
    return Import.at(owner_id=part.owner_id, library_id=part.library_id)


IMPORT = Rule(_refers, _judge)
PART = Rule(_part_refers, _judge_part)
