"""Archives: what is in a zip file, read as far as it is bounded, and never written anywhere."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from commonroom.imports.files import FileTooLarge, ReadBudget, UnreadableFile
from commonroom.texts import clean_line

MAX_FILES = 2_000
MAX_PATH = 300
ENDINGS = frozenset({".csv", ".json"})
_ENCRYPTED = 0x1
_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The methods that unpack no more than is asked for: bzip2 and LZMA unpack all at once."""
_MEMBER = b"PK\x01\x02"
"""With this begins what an archive says of each of its files."""


class SentFile(Struct, frozen=True):
    """A file: its path in an archive, or its name alone."""

    path: PurePosixPath
    content: bytes

    @property
    def stem(self) -> str:
        """Its name without ending, in lower case."""
        return self.path.stem.casefold()

    @property
    def folders(self) -> frozenset[str]:
        """The names of the folders that it is in, in lower case."""
        return frozenset(part.casefold() for part in self.path.parts[:-1])


class TextFile(Struct, frozen=True):
    """A file and its text."""

    file: SentFile
    text: str


def sent_file(name: str, content: bytes) -> SentFile:
    """Returns a file as it was sent, under whatever name."""
    return SentFile(_path(name), content)


def is_archive(content: bytes) -> bool:
    """Returns whether a file is a zip archive, also an empty one."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unpack_archive(content: bytes, budget: ReadBudget) -> list[SentFile]:
    """Returns the tables and JSON files of an archive, in the order of their names."""
    if content.count(_MEMBER) > MAX_FILES:  # before a list is made of them
        raise FileTooLarge(f"A ZIP file can hold up to {MAX_FILES:,} files.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found = list(_members(archive, budget))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError):
        raise UnreadableFile("This ZIP file is damaged. Download it again.") from None
    return sorted(found, key=lambda one: str(one.path).casefold())


def _members(archive: zipfile.ZipFile, budget: ReadBudget) -> Iterator[SentFile]:
    for member in archive.infolist():
        path = _path(member.filename)
        # Not `is_dir()`, which fails for a name that is empty.
        if member.filename.endswith("/") or not _is_wanted(path):
            continue
        if member.flag_bits & _ENCRYPTED:
            raise UnreadableFile("This ZIP file has a password. Unpack it and choose its files.")
        if member.compress_type not in _BOUNDED:
            raise UnreadableFile(
                "This ZIP file is packed in an unusual way. Unpack it and choose its files."
            )
        with archive.open(member) as opened:
            # What an archive says of its sizes may be wrong: only what comes out counts.
            content = opened.read(budget.bytes_left + 1)
        budget.take_bytes(len(content))
        yield SentFile(path, content)


def _is_wanted(path: PurePosixPath) -> bool:
    hidden = any(part.startswith((".", "__")) for part in path.parts)
    return not hidden and path.suffix.casefold() in ENDINGS


def _path(name: str) -> PurePosixPath:
    """Returns a name that is only looked at: nothing is ever opened or written by it."""
    parts = [clean_line(part) for part in name.replace("\\", "/")[-MAX_PATH:].split("/")]
    return PurePosixPath(*[part for part in parts if part not in ("", ".", "..")] or ["file"])
