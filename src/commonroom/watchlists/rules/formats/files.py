"""Files: each is known by its header, and a bad row does not stop the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from zoneinfo import ZoneInfo

from commonroom.imports.files import (
    FileTooLarge,
    InvalidRow,
    UnreadableFile,
    check_size,
    decode,
)
from commonroom.imports.sheets import SEPARATORS, Sheet, SheetHeader, header_of
from commonroom.watchlists.rules.formats import (
    FileRead,
    Format,
    ListRead,
    imdb,
    letterboxd,
    own_csv,
    own_json,
    trakt,
)
from commonroom.watchlists.rules.formats.archive import (
    SentFile,
    TextFile,
    is_archive,
    sent_file,
    unpack_archive,
)
from commonroom.watchlists.rules.formats.contents import Contents

MOST_SENT = 20
"""How many files are taken at once: IMDb gives one for each list."""
SUPPORTED = "You can import files from Letterboxd, IMDb, Trakt and Commonroom."

Read = Callable[[Contents, Sheet, SentFile], None]
SHEETS: Mapping[Format, tuple[SheetHeader, Read]] = {
    "letterboxd": (letterboxd.HEADER, letterboxd.read_table),
    "imdb": (imdb.HEADER, imdb.read_table),
    "commonroom_csv": (own_csv.HEADER, own_csv.read_table),
    "trakt": (trakt.HEADER, trakt.read_table),
}


def read_files(sent: Sequence[tuple[str, bytes]], now: float, zone: ZoneInfo) -> FileRead:
    """All that files hold, by name and content; refused where they are none that we know."""
    if not sent or not any(content.strip() for _, content in sent):
        raise UnreadableFile("This file is empty.")
    if len(sent) > MOST_SENT:
        raise FileTooLarge(f"You can choose up to {MOST_SENT} files at once.")
    check_size(b"".join(content for _, content in sent))
    files = [one for name, content in sent for one in _files(name, content)]
    contents = Contents(now, zone)
    texts = [text for file in files if (text := _text(contents, file, len(files) > 1)) is not None]
    described = trakt.list_descriptions(contents, texts)
    for one in texts:
        contents.file = one.file.path.name if len(files) > 1 else None
        try:
            is_known = _read_text(contents, one, described)
        except UnreadableFile as refused:
            _pass_over(contents, refused, len(files) > 1)
            continue
        if not is_known and len(files) == 1:
            raise UnreadableFile(f"This file is not supported. {SUPPORTED}")
        if not is_known:
            contents.leave(str(one.file.path))
    if contents.is_empty and not contents.bad:
        raise UnreadableFile(f"There is nothing to import in this file. {SUPPORTED}")
    return contents.whole()


def _files(name: str, content: bytes) -> list[SentFile]:
    return unpack_archive(content) if is_archive(content) else [sent_file(name, content)]


def _text(contents: Contents, file: SentFile, is_one_of_many: bool) -> TextFile | None:
    contents.file = file.path.name if is_one_of_many else None
    try:
        text, repaired = decode(file.content)
    except UnreadableFile as refused:
        _pass_over(contents, refused, is_one_of_many)
        return None
    contents.repaired += repaired
    return TextFile(file, text) if text.strip() else None


def _pass_over(contents: Contents, refused: UnreadableFile, is_one_of_many: bool) -> None:
    """Goes on with the other files, if there are any and this one is not too much altogether."""
    if not is_one_of_many or isinstance(refused, FileTooLarge):
        raise refused
    contents.refuse(1, None, InvalidRow(None, refused.detail))


def _read_text(contents: Contents, one: TextFile, described: Mapping[str, ListRead]) -> bool:
    """Reads a file; says whether it is one that we know."""
    if one.text.lstrip().startswith(("{", "[")):
        return _read_json(contents, one, described)
    for separator in SEPARATORS:
        if letterboxd.is_list(one.text):
            contents.formats.setdefault("letterboxd")
            letterboxd.read_list(contents, one)
            return True
        columns = header_of(one.text, separator)
        for kind, (header, read) in SHEETS.items():
            if header.is_header(columns):
                contents.formats.setdefault(kind)
                read(contents, Sheet(one.text, separator), one.file)
                return True
    return False


def _read_json(contents: Contents, one: TextFile, described: Mapping[str, ListRead]) -> bool:
    if own_json.is_own(one.text):
        contents.formats.setdefault("commonroom_json")
        own_json.read_json(contents, one.text)
        return True
    if trakt.is_trakt(one):
        contents.formats.setdefault("trakt")
        trakt.read_json(contents, one, described)
        return True
    return trakt.is_empty(one.text)
