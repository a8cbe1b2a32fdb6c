"""What its owner chooses about an import: the rule by which a row comes in, or does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.library.rules.formats.rows import Row
from commonroom.library.service.importing.views import Duplicates

Reason: TypeAlias = Literal["already", "twin", "shelved"]


class Choices(Struct, frozen=True):
    """What happens to what is there twice, and which shelves of the other service stay out."""

    duplicates: Duplicates = "skip"
    without: frozenset[str] = frozenset()

    def reason_to_leave_out(self, row: Row) -> Reason | None:
        """Why a row does not come in; None where it does."""
        if self._is_shelved(row.shelves):
            return "shelved"
        if self.duplicates == "add":
            return None
        if row.already is not None:
            return "already"
        # Of rows that are the same work, the first that comes in counts, not one that stays out.
        if any(not self._is_shelved(shelves) for shelves in row.twin_shelves):
            return "twin"
        return None

    def _is_shelved(self, shelves: Sequence[str]) -> bool:
        return bool(shelves) and self.without.issuperset(shelves)
