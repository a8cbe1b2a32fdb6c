"""What forms send: fields by their names, and files."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct

from commonroom.errors import BadRequest

MAX_PARTS = 1000
"""How many fields and files a form with files may have."""
MAX_FIELDS = 10_000
"""How many fields another form may have: a megabyte of nothing but `&` takes long to read."""


class FormFile(Struct, frozen=True):
    """A file that a form sends."""

    filename: str
    content: bytes


def read_fields(body: bytes) -> dict[str, Any]:
    """Returns the fields of a form without files: a text each, or a list where there are several.

    Nothing of it is kept, and whatever was sent can be read, unless it is too much.
    """
    if body.count(b"&") >= MAX_FIELDS:
        raise BadRequest(f"A form has at most {MAX_FIELDS:,} fields.")
    return _by_name(parse_qsl(body.decode("latin-1"), keep_blank_values=True))


def read_parts(body: bytes, content_type: str) -> dict[str, Any]:
    """Returns the fields and files of a form, by the boundary that its type names."""
    # Only a form with files needs it.
    from multipart import MultipartError, PushMultipartParser, parse_options_header

    boundary = parse_options_header(content_type)[1].get("boundary", "")
    found: list[tuple[str, Any]] = []
    try:
        with PushMultipartParser(boundary.encode("latin-1"), max_segment_count=MAX_PARTS) as parser:
            part: Any = None
            pieces: list[bytes] = []
            for event in (*parser.parse(body), *parser.parse(b"")):
                if event is None:
                    found.append((part.name, _value(part, b"".join(pieces))))
                elif isinstance(event, bytes):
                    pieces.append(event)
                else:
                    part, pieces = event, []
    except (MultipartError, LookupError, UnicodeError):
        raise BadRequest("Invalid multipart/form-data") from None
    return _by_name(found)


def _value(part: Any, content: bytes) -> str | FormFile:
    """A file has a name; where none was chosen, browsers send an empty one."""
    if part.filename:
        return FormFile(part.filename, content)
    return content.decode(part.charset or "utf-8")


def _by_name(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, list[Any]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return {name: some if len(some) > 1 else some[0] for name, some in fields.items()}
