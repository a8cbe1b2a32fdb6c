"""What an installation can set, where each value came from, and the secrets it keeps to itself."""

from commonroom.settings.loader import Loaded, Origin, WrongSetting, load
from commonroom.settings.schema import DESCRIBED, Described, Settings
from commonroom.settings.secrets import Secrets, secrets_of

__all__ = [
    "DESCRIBED",
    "Described",
    "Loaded",
    "Origin",
    "Secrets",
    "Settings",
    "WrongSetting",
    "load",
    "secrets_of",
]
