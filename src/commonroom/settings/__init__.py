"""What an installation can set, where each value came from, and the secrets it keeps to itself."""

from commonroom.settings.declared import DESCRIBED, Described, Settings
from commonroom.settings.loading import Loaded, Origin, load
from commonroom.settings.mistakes import WrongSetting
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
