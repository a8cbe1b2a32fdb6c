"""Attacks by files to import: a few kilobytes that would become gigabytes of memory."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from tests.attacks.signin import OWNER, V1, Caller
from tests.imports.bombs import LETTERBOXD_HEAD, long_cell, packed, wide_table

PATH = f"{V1}/watchlists/import"
BOUNDARY = "one-file-of-many"
METHODS = {"bzip2": zipfile.ZIP_BZIP2, "LZMA": zipfile.ZIP_LZMA, "deflate": zipfile.ZIP_DEFLATED}


def import_bombs(host: str, port: int, pid: int, *, megabytes: int, columns: int) -> dict[str, Any]:
    """Sends archives that would become so many megabytes each, alone and twenty together."""
    nobody = Caller(host, port)
    assert nobody.ask("POST", f"{V1}/setup", OWNER).status == 201
    owner = nobody.browser(OWNER)
    grown = LETTERBOXD_HEAD + b" " * (megabytes * 1_000_000)
    files = {name: packed(method, grown) for name, method in METHODS.items()}
    files["a cell of 30 MB"] = packed(zipfile.ZIP_DEFLATED, long_cell(30))
    files["many columns"] = packed(zipfile.ZIP_DEFLATED, wide_table(columns))
    before = _peak_megabytes(pid)
    answers = {
        name: owner.ask("POST", PATH, file, **{"Content-Type": "application/zip"}).status
        for name, file in files.items()
    }
    answers["twenty archives"] = _send_together(owner, packed(zipfile.ZIP_DEFLATED, grown))
    return {
        "largest file sent": max(map(len, files.values())),
        "answers": answers,
        "memory MB": _peak_megabytes(pid) - before,
        "/health/live afterwards": nobody.ask("GET", "/health/live").status,
    }


def _send_together(owner: Caller, file: bytes) -> int:
    """Sends a file twenty times in one form, as a browser does."""
    head = b'Content-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
    parts = (b"--" + BOUNDARY.encode() + b"\r\n" + head + file + b"\r\n") * 20
    kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    browser = kind | {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}
    form = parts + b"--" + BOUNDARY.encode() + b"--\r\n"
    return owner.ask("POST", "/watchlists/import", form, **browser).status


def _peak_megabytes(pid: int) -> int:
    """The most memory that a process ever had."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1000
