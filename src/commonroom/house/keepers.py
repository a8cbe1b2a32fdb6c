"""Who keeps something of a person; what happens to it when they leave, their consumers know."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.library import taking_along as library
from commonroom.movienight import taking_along as movienight
from commonroom.notify import account_cleanup as notifications
from commonroom.shareables import taking_along as shareables
from commonroom.web.keepers import Keeper


def keepers() -> Mapping[str, Keeper]:
    """By the name under which a person finds it among their data; a room adds its line here."""
    return {
        "notifications": notifications.export_notifications,
        "movie_night": movienight.kept_for,
        "library": library.kept_for,
        "shareables": shareables.kept_for,
    }
