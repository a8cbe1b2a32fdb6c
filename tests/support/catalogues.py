"""Catalogues of translations, made by tests: the file that gettext reads."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonroom.accounts import rules
from commonroom.http import words
from commonroom.http.navigation.menus import render_menus
from commonroom.http.template_engine import environment

MAGIC, HEADER = 0x950412DE, 28
DESCRIPTION = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n > 1);\n"


@contextmanager
def spoken_too(folder: Path, language: str, texts: Mapping[str, str]) -> Iterator[None]:
    """Another language for a while; plural forms have NUL characters between them."""
    file = folder / language / "LC_MESSAGES" / "commonroom.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(catalogue({"": DESCRIPTION, **texts}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "LOCALE", folder)
        patch.setattr(rules, "LANGUAGES", (*rules.LANGUAGES, language))
        _forget_texts()
        yield
    _forget_texts()


def _forget_texts() -> None:
    words.asked_for.cache_clear()
    words.translation.cache_clear()
    environment.cache_clear()
    render_menus.cache_clear()


def catalogue(texts: Mapping[str, str]) -> bytes:
    """A catalogue as GNU gettext writes it: two tables of lengths and places, then the texts."""
    pairs = sorted((one.encode(), other.encode()) for one, other in texts.items())
    place = HEADER + 16 * len(pairs)
    tables, data = [b"", b""], b""
    for column in (0, 1):
        for pair in pairs:
            tables[column] += struct.pack("<2I", len(pair[column]), place + len(data))
            data += pair[column] + b"\0"
    head = struct.pack("<7I", MAGIC, 0, len(pairs), HEADER, HEADER + 8 * len(pairs), 0, 0)
    return head + tables[0] + tables[1] + data
