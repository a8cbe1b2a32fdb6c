"""JSON files: how those of ours are known and opened, and their members one by one."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from commonroom.imports.files import InvalidRow, UnreadableFile

DAMAGED = (msgspec.DecodeError, RecursionError)


class OwnHead(Struct):
    """What tells whose file it is."""

    format: str = ""


class OwnFile(OwnHead):
    """A whole file of ours; what is in its lists is looked at one by one."""

    version: int = 1


F = TypeVar("F", bound=OwnFile)
T = TypeVar("T")

_head = msgspec.json.Decoder(OwnHead)


def is_json(text: str) -> bool:
    """Returns whether a text is meant to be JSON."""
    return text.lstrip().startswith(("{", "["))


def is_own(text: str, name: str) -> bool:
    """Returns whether a JSON text is a file of ours, of whichever version."""
    try:
        return _head.decode(text).format == name
    except DAMAGED:
        return False


def open_own(text: str, decoder: msgspec.json.Decoder[F], version: int) -> F:
    """Returns a file of ours; refused where it is damaged, or of a version that is not known."""
    try:
        found = decoder.decode(text)
    except DAMAGED:
        raise UnreadableFile("This JSON file was exported by Commonroom, but is damaged.") from None
    if found.version != version:
        raise UnreadableFile("This file was exported by a newer version of Commonroom.")
    return found


def decode_member(raw: Raw, decoder: msgspec.json.Decoder[T]) -> T:
    """Returns a member of a list; refused in a sentence where it is not as it should be."""
    try:
        return decoder.decode(raw)
    except DAMAGED as error:  # msgspec says it with marks for programmers
        why = str(error).replace("`", "").replace("$.", "")
        raise InvalidRow(None, f"{why}.") from None


def title_in(raw: Raw) -> str | None:
    """Returns what a damaged member is called, so that its owner knows which it is."""
    try:
        title = msgspec.json.decode(raw, type=dict[str, Any]).get("title")
    except DAMAGED:
        return None
    return title if isinstance(title, str) else None
