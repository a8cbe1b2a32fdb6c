"""What an installation can set, where each value came from, and the secrets it keeps to itself."""

from commonroom.settings.loader import Loaded, SettingOrigin, WrongSetting, load
from commonroom.settings.schema import DESCRIBED, SettingDocs, Settings
from commonroom.settings.secrets import Secrets, secrets_of

__all__ = [
    "DESCRIBED",
    "Loaded",
    "Secrets",
    "SettingDocs",
    "SettingOrigin",
    "Settings",
    "WrongSetting",
    "load",
    "secrets_of",
]
