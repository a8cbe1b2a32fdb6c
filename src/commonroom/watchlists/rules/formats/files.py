"""Files: each is known by its header, and a bad row does not stop the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from commonroom.imports.archive import (
    SentFile,
    TextFile,
    is_archive,
    sent_file,
    unpack_archive,
)
from commonroom.imports.contents import is_json, is_own
from commonroom.imports.files import (
    FileTooLarge,
    InvalidRow,
    ReadBudget,
    UnreadableFile,
    check_size,
    decode,
)
from commonroom.imports.sheets import Sheet, find_format
from commonroom.watchlists.rules.formats import (
    Format,
    ListRead,
    ParsedWatchlistFiles,
    imdb,
    letterboxd,
    own_csv,
    own_json,
    trakt,
)
from commonroom.watchlists.rules.formats.contents import MAX_ROWS, TableFormat, WatchlistContents

MAX_SENT = 20
"""How many files are taken at once: IMDb gives one for each list."""
SUPPORTED = "You can import files from Letterboxd, IMDb, Trakt and Commonroom."

SHEETS: Mapping[Format, TableFormat] = {
    "letterboxd": letterboxd.LETTERBOXD,
    "imdb": imdb.IMDB,
    "commonroom_csv": own_csv.COMMONROOM_CSV,
    "trakt": trakt.TRAKT,
}


def read_files(
    sent: Sequence[tuple[str, bytes]], now: float, zone: ZoneInfo
) -> ParsedWatchlistFiles:
    """All that files hold, by name and content; refused where they are none that we know."""
    if not sent or not any(content.strip() for _, content in sent):
        raise UnreadableFile("This file is empty.")
    if len(sent) > MAX_SENT:
        raise FileTooLarge(f"You can choose up to {MAX_SENT} files at once.")
    check_size(b"".join(content for _, content in sent))
    contents = WatchlistContents(now, zone)
    files = [one for name, content in sent for one in _files(name, content, contents.budget)]
    contents.has_several_files = len(files) > 1
    told = (text for file in files if (text := _lists_text(contents, file)) is not None)
    described = trakt.list_descriptions(contents, told)
    for one in files:
        _read_file(contents, one, described)
    if contents.is_empty and not contents.bad:
        raise UnreadableFile(f"There is nothing to import in this file. {SUPPORTED}")
    return contents.whole()


def _files(name: str, content: bytes, budget: ReadBudget) -> list[SentFile]:
    if is_archive(content):
        return unpack_archive(content, budget)
    budget.take_bytes(len(content))
    return [sent_file(name, content)]


def _lists_text(contents: WatchlistContents, file: SentFile) -> TextFile | None:
    """The text of a file that may say what lists are called, which is read before the others."""
    if not trakt.is_about_lists(file):
        return None
    try:
        text = decode(file.content).text
    except UnreadableFile:
        return None  # said when it is its turn
    contents.budget.take_cells(text)
    return TextFile(file, text)


def _read_file(
    contents: WatchlistContents, file: SentFile, described: Mapping[str, ListRead]
) -> None:
    """Reads one of the files; of their texts there is one at a time."""
    contents.begin_file(file)
    try:
        text = contents.decode(file.content)
        if not text.strip() or _read_text(contents, TextFile(file, text), described):
            return
    except UnreadableFile as refused:
        _pass_over(contents, refused)
        return
    if not contents.has_several_files:
        raise UnreadableFile(f"This file is not supported. {SUPPORTED}")
    contents.leave(str(file.path))


def _pass_over(contents: WatchlistContents, refused: UnreadableFile) -> None:
    """Goes on with the other files, if there are any and this one is not too much altogether."""
    if not contents.has_several_files or isinstance(refused, FileTooLarge):
        raise refused
    contents.refuse(1, None, InvalidRow(None, refused.detail))


def _read_text(
    contents: WatchlistContents, one: TextFile, described: Mapping[str, ListRead]
) -> bool:
    """Reads a file; says whether it is one that we know."""
    if is_json(one.text):
        return _read_json(contents, one, described)
    if letterboxd.is_list(one.text):
        contents.formats.setdefault("letterboxd")
        letterboxd.read_list(contents, one)
        return True
    found = find_format(one.text, SHEETS)
    if found is None:
        return False
    contents.formats.setdefault(found.kind)
    sheet = Sheet(one.text, found.separator, most_rows=MAX_ROWS)
    found.format.read(contents, sheet, one.file)
    return True


def _read_json(
    contents: WatchlistContents, one: TextFile, described: Mapping[str, ListRead]
) -> bool:
    if is_own(one.text, own_json.FORMAT):
        contents.formats.setdefault("commonroom_json")
        own_json.read_json(contents, one.text)
        return True
    if trakt.is_trakt(one):
        contents.formats.setdefault("trakt")
        trakt.read_json(contents, one, described)
        return True
    return trakt.is_empty(one.text)
