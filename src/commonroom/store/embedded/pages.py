"""The pages of a data file as they are on disk, read without SQLite, with its log on top."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from commonroom.store.embedded.checksums import RESERVED_BYTES
from commonroom.store.embedded.data_file import FORMAT_WITHOUT_CHECKSUMS, MAGIC

HEADER_BYTES = 100
PAGE_SIZE = 4096
"""What our files have; one whose header is damaged is taken to have it, too."""

MAX_SAMPLED_PAGES = 100

LOG_HEADER = struct.Struct(">8I")
FRAME_HEADER = struct.Struct(">6I")
LOG_MAGIC = 0x377F0682
"""The last bit says in which order the bytes of a checksum's words are."""


class PageFile:
    """A database file by pages, which are numbered from 1."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        head = self._file.read(HEADER_BYTES)
        self.size = _page_size(head)
        log = _read_log(path.with_name(f"{path.name}-wal"), self.size)
        self._log = log.pages
        self.unread_log_bytes = log.unread_bytes
        """How many bytes of the log were written and never finished, or are damaged."""
        in_file = -(-path.stat().st_size // self.size)
        self.count = log.page_count or in_file
        self.has_checksums = self._has_checksums(head)
        self.usable = self.size - RESERVED_BYTES * self.has_checksums

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def read(self, number: int) -> bytes:
        """Returns a page; shorter than others, or empty, where the file ends too early."""
        if number in self._log:
            return self._log[number]
        if not 1 <= number <= self.count:
            return b""
        try:
            self._file.seek((number - 1) * self.size)
            return self._file.read(self.size)
        except OSError:  # the disk itself cannot read it
            return b""

    def is_altered(self, page: bytes) -> bool:
        """Whether a page is not as it was written; unknown, and False, without checksums."""
        return self.has_checksums and (len(page) < self.size or not _has_right_checksum(page))

    def _has_checksums(self, head: bytes) -> bool:
        """Whether pages end with their checksums: what the header says, if it can be believed.

        A damaged one is not, so the first pages after it tell by theirs.
        """
        is_earlier = int.from_bytes(head[60:64]) <= FORMAT_WITHOUT_CHECKSUMS
        if head.startswith(MAGIC) and not head[20] and is_earlier:
            return False
        sample = range(2, min(self.count, MAX_SAMPLED_PAGES) + 1)
        pages = [page for number in sample if len(page := self.read(number)) == self.size]
        return not pages or any(map(_has_right_checksum, pages))


def _has_right_checksum(page: bytes) -> bool:
    stored = struct.unpack("<2I", page[-RESERVED_BYTES:])
    return _checksum(page[:-RESERVED_BYTES], (0, 0), "<") == stored


def _page_size(head: bytes) -> int:
    if len(head) < HEADER_BYTES or not head.startswith(MAGIC):
        return PAGE_SIZE
    size = int.from_bytes(head[16:18])
    size = 65536 if size == 1 else size
    return size if size >= 512 and size & (size - 1) == 0 else PAGE_SIZE


class _Log:
    """What a log has committed: the newest of each page, and how many pages there are then."""

    def __init__(self) -> None:
        self.pages: dict[int, bytes] = {}
        self.page_count = 0
        self.unread_bytes = 0


def _read_log(path: Path, page_size: int) -> _Log:
    log = _Log()
    try:
        with path.open("rb") as file:
            _read_frames(file, page_size, log)
            log.unread_bytes = max(0, path.stat().st_size - file.tell())
    except FileNotFoundError:
        pass
    return log


def _read_frames(file: BinaryIO, page_size: int, log: _Log) -> None:
    """Reads to the last commit; leaves the file at its end."""
    head = file.read(LOG_HEADER.size)
    if len(head) < LOG_HEADER.size:
        return
    magic, _, size, _, *salts, first, second = LOG_HEADER.unpack(head)
    order = ">" if magic & 1 else "<"
    sums = _checksum(head[:24], (0, 0), order)
    if magic & ~1 != LOG_MAGIC or size != page_size or sums != (first, second):
        file.seek(0)
        return
    pending: dict[int, bytes] = {}
    committed = file.tell()
    while len(frame := file.read(FRAME_HEADER.size)) == FRAME_HEADER.size:
        number, after, *frame_salts, first, second = FRAME_HEADER.unpack(frame)
        page = file.read(page_size)
        if frame_salts != salts or len(page) < page_size:
            break
        sums = _checksum(page, _checksum(frame[:8], sums, order), order)
        if sums != (first, second):
            break
        pending[number] = page
        if after:
            log.pages |= pending
            log.page_count = after
            pending.clear()
            committed = file.tell()
    file.seek(committed)


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """SQLite's own of its log: over pairs of words, each sum carried into the other."""
    one, other = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + other) & 0xFFFFFFFF
        other = (other + second + one) & 0xFFFFFFFF
    return one, other
