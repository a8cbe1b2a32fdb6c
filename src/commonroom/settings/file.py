"""The settings file: TOML, each setting under its own name."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from commonroom.settings.mistakes import WrongSetting


def read_file(file: Path) -> dict[str, Any]:
    """What a settings file says, unchecked."""
    try:
        return tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise WrongSetting(f"{file} is not valid TOML: {error}.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise WrongSetting(f"{file} cannot be read: {error}.") from error
