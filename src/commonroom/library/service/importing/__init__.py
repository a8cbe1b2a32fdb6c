"""Importing: a file is looked at, kept, and worked through in bounded steps.

A library has one import at a time; a new file takes the place of one that waits or is over.
"""

from commonroom.library.rules.formats.errors import MOST_ROWS
from commonroom.library.rules.formats.reading import LARGEST_FILE
from commonroom.library.rules.formats.rows import Note
from commonroom.library.service.importing.choices import Choices
from commonroom.library.service.importing.keeping import foresee, look_at, prepare
from commonroom.library.service.importing.running import cancel, start, undo
from commonroom.library.service.importing.seeing import see_import
from commonroom.library.service.importing.views import (
    Duplicates,
    ImportPreview,
    ImportSeen,
    Outcome,
    RowSeen,
    ShelfFound,
)

__all__ = [
    "LARGEST_FILE",
    "MOST_ROWS",
    "Choices",
    "Duplicates",
    "ImportPreview",
    "ImportSeen",
    "Note",
    "Outcome",
    "RowSeen",
    "ShelfFound",
    "cancel",
    "foresee",
    "look_at",
    "prepare",
    "see_import",
    "start",
    "undo",
]
