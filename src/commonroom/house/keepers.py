"""Who keeps something of a person; what happens to it when they leave, their consumers know."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.notify.leaving import kept_for
from commonroom.web.keepers import Keeper


def keepers() -> Mapping[str, Keeper]:
    """By the name under which a person finds it among their data; a room adds its line here."""
    return {"notifications": kept_for}
