"""The file of what does not fit: a line for each item, with the reason and all that it holds."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self

import msgspec

from commonroom.store.dynamodb_json import to_attributes
from commonroom.store.errors import Refused, StoreError
from commonroom.store.values import Item, Key


class SetAsideItem(msgspec.Struct, frozen=True):
    """An item that was not adopted; `item` is in DynamoDB's form, to be adopted once it fits."""

    table: str
    key: Key
    reason: str
    item: Any


class SetAside(Protocol):
    """Takes what does not fit."""

    reasons: Counter[tuple[str, str]]
    """How often each table has had each reason."""

    def add(self, table: str, key: Key, reason: str, item: Item | str) -> None:
        """Takes an item, or the text of a line that is none."""

    def keep(self) -> int:
        """Makes sure that nothing of it is lost; returns how much there is."""


class CountedAside:
    """Counts only, to show what would happen."""

    def __init__(self) -> None:
        self.reasons: Counter[tuple[str, str]] = Counter()

    def add(self, table: str, key: Key, reason: str, item: Item | str) -> None:  # noqa: ARG002
        """Counts the reason."""
        self.reasons[table, reason] += 1

    def keep(self) -> int:
        """Nothing is kept."""
        return 0


class AsideFile(CountedAside):
    """A file for its owner alone; made with the first item."""

    def __init__(self, path: Path, *, length: int) -> None:
        """Continues after so many bytes: what follows them will be set aside again."""
        super().__init__()
        self.path = path
        self._file: BinaryIO | None = None
        if length:
            self._resume(length)
        elif path.exists():
            raise Refused(f"{path} is there already; name another file with --set-aside.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, table: str, key: Key, reason: str, item: Item | str) -> None:
        """Writes a line."""
        super().add(table, key, reason, item)
        held = item if isinstance(item, str) else to_attributes(item)
        line = msgspec.json.encode(SetAsideItem(table, key, reason, held)) + b"\n"
        self._opened().write(line)

    def keep(self) -> int:
        """Brings it to the disk."""
        if self._file is None:
            return 0
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def _opened(self) -> BinaryIO:
        if self._file is None:
            self._file = self._open(os.O_CREAT | os.O_EXCL)
        return self._file

    def _resume(self, length: int) -> None:
        self._file = self._open(0)
        self._file.truncate(length)
        self._file.seek(0)
        for line in self._file:
            known = msgspec.json.decode(line, type=SetAsideItem)
            self.reasons[known.table, known.reason] += 1
        self._file.seek(length)

    def _open(self, how: int) -> BinaryIO:
        try:
            return os.fdopen(os.open(self.path, how | os.O_RDWR, 0o600), "r+b")
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror}.") from error
