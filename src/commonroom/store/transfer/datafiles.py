"""The data files of a table: compressed lines of items, in files of bounded size."""

from __future__ import annotations

import hashlib
import os
from base64 import b64encode
from collections.abc import Iterable
from gzip import GzipFile
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from commonroom.store.attribute_values import to_attributes
from commonroom.store.transfer.layout import DataFile, Line
from commonroom.store.values import Item

FILE_BYTES = 64 * 1024 * 1024
"""How many bytes of lines, before compression, a file may have; one line may go beyond."""


class _Hashed:
    """A file that is written and hashed at the same time."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.md5 = hashlib.md5(usedforsecurity=False)

    def write(self, data: bytes) -> int:
        self.md5.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


class DataFiles:
    """Writes items, a new file whenever one is full; there is always at least one file."""

    def __init__(self, folder: Path, key: str, *, file_bytes: int = FILE_BYTES) -> None:
        self._folder = folder
        self._key = key
        self._file_bytes = file_bytes
        self.written: list[DataFile] = []
        self.items = 0
        self._encode = msgspec.json.Encoder().encode
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def add(self, items: Iterable[Item]) -> None:
        """Writes items as lines."""
        for item in items:
            if self._bytes >= self._file_bytes:
                self._end()
                self._begin()
            line = self._encode(Line(to_attributes(item))) + b"\n"
            self._gzip.write(line)
            self._bytes += len(line)
            self._count += 1
            self.items += 1

    def _begin(self) -> None:
        self._name = f"{len(self.written):06}.json.gz"
        self._raw = (self._folder / self._name).open("wb")
        self._hashed = _Hashed(self._raw)
        # The level that AWS's own tools use takes three times as long for a few percent.
        self._gzip = GzipFile(
            filename="", mode="wb", fileobj=self._hashed, compresslevel=6, mtime=0
        )
        self._bytes = self._count = 0

    def _end(self) -> None:
        self._gzip.close()
        self._raw.flush()
        os.fsync(self._raw.fileno())
        self._raw.close()
        md5 = self._hashed.md5
        self.written.append(
            DataFile(
                item_count=self._count,
                md5_checksum=b64encode(md5.digest()).decode(),
                etag=md5.hexdigest(),
                data_file_s3_key=f"{self._key}/{self._name}",
            )
        )
