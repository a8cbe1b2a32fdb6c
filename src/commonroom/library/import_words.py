"""Imports in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.library.rules.formats.rows import Format
from commonroom.web import words
from commonroom.web.words import later

words.SAID.update(
    {
        "import-started": later("The import has begun. You may leave this page meanwhile."),
        "import-stopped": later("The import is stopped. What was added before stays."),
        "import-forgotten": later("The file is forgotten. Nothing was added from it."),
        "report-closed": later("The report is closed."),
    }
)

FORMATS: Mapping[Format, str] = {
    "goodreads": later("from Goodreads"),
    "librarything": later("from LibraryThing"),
    "libib": later("from Libib"),
    "commonroom_csv": later("from a Commonroom (CSV)"),
    "commonroom_json": later("from a Commonroom (JSON)"),
}
"""Where a file comes from; translated when it is shown."""
