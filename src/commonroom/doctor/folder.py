"""The data folder, what is in it, and who else could read it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.errors import CommonroomError
from commonroom.settings import DESCRIBED, Loaded, Settings, secrets_of
from commonroom.settings.secrets import FILE_NAME

OTHERS = 0o077
"""The rights of everybody but the owner."""


def examine(loaded: Loaded) -> list[Finding]:
    """The folder, the secrets and the settings file."""
    settings = loaded.settings
    if not settings.data.exists():
        return [_not_there(settings)]
    if not settings.data.is_dir():
        mend = "Move that file away, or choose another folder with COMMONROOM_DATA."
        return [problem("data folder", f"{settings.data} is a file", mend)]
    return [
        _writable(settings.data),
        *_rights("data folder", settings.data),
        *_secrets(settings),
        *_settings_file(loaded),
    ]


def _not_there(settings: Settings) -> Finding:
    above = next(one for one in settings.data.absolute().parents if one.exists())
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return ok("data folder", f"{settings.data} is created on the first start")
    return problem(
        "data folder",
        f"{settings.data} cannot be created in {above}",
        "Give the user that runs Commonroom write permission there, or choose another folder.",
    )


def _writable(data: Path) -> Finding:
    try:
        with tempfile.TemporaryFile(dir=data) as file:
            file.write(b"commonroom")
            file.flush()
    except OSError as error:
        return problem(
            "data folder",
            f"{data} is not writable: {error.strerror}",
            f"Give it to the user that runs Commonroom: chown -R <user> {data}",
        )
    return ok("data folder", f"{data} is writable")


def _rights(about: str, path: Path) -> Iterator[Finding]:
    mode = path.stat().st_mode & 0o777
    if mode & OTHERS:
        good = "700" if path.is_dir() else "600"
        yield warning(about, f"other users can access {path} ({mode:o})", f"chmod {good} {path}")


def _secrets(settings: Settings) -> Iterator[Finding]:
    path = settings.data / FILE_NAME
    if settings.secret_key:
        yield ok("secrets", "the key is set")
    elif not path.exists():
        yield ok("secrets", f"{path} is created on the first start")
    else:
        yield from _rights("secrets", path)
        try:
            secrets_of(settings)
        except CommonroomError as error:
            yield problem("secrets", error.detail, "Page links and sessions depend on it.")
        else:
            yield ok("secrets", f"{path} is valid")


def _settings_file(loaded: Loaded) -> Iterator[Finding]:
    secrets = [name for name, described in DESCRIBED.items() if described.secret]
    if loaded.file is not None and any(loaded.origins[one].kind == "file" for one in secrets):
        yield from _rights("settings file", loaded.file)
