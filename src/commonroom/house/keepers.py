"""Who keeps something of a person; what happens to it when they leave, their consumers know."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.library import data_export as library
from commonroom.movienight import data_export as movienight
from commonroom.notify import leaving as notifications
from commonroom.shareables import data_export as shareables
from commonroom.web.data_export import ExportPart


def keepers() -> Mapping[str, ExportPart]:
    """By the name under which a person finds it among their data; a room adds its line here."""
    return {
        "notifications": notifications.kept_for,
        "movie_night": movienight.export_person,
        "library": library.export_person,
        "shareables": shareables.export_person,
    }
