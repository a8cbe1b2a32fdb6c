"""Imports in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.library.rules.formats.rows import Format
from commonroom.web.words import later

FLASH_TEXTS: Mapping[str, str] = {
    "import-started": later("The import has started. You can leave this page."),
    "import-stopped": later("Import stopped. What was added before stays."),
    "import-forgotten": later("Import cancelled. Nothing was added."),
    "import-undoing": later("The import is being undone. You can leave this page."),
    "report-closed": later("Report closed."),
}

FORMATS: Mapping[Format, str] = {
    "goodreads": later("from Goodreads"),
    "librarything": later("from LibraryThing"),
    "libib": later("from Libib"),
    "storygraph": later("from StoryGraph"),
    "commonroom_csv": later("from a Commonroom (CSV)"),
    "commonroom_json": later("from a Commonroom (JSON)"),
}
"""Where a file comes from; translated when it is shown."""

FIELDS: Mapping[str, str] = {
    "title": later("Title"),
    "authors": later("Authors"),
    "directors": later("Directors"),
    "cast": later("Cast"),
    "contributors": later("Translators and others"),
    "isbn": later("ISBN"),
    "summary": later("Summary"),
    "collection": later("Collection"),
    "collections": later("Collection"),
    "order": later("Number in collection"),
    "release_year": later("Year"),
    "year": later("Year"),
    "duration": later("Minutes"),
    "tmdb_id": later("TMDB ID"),
    "picture_url": later("Cover"),
    "publisher": later("Publisher"),
    "pages": later("Pages"),
    "language": later("Language"),
    "format": later("Format"),
    "tags": later("Tags"),
    "location": later("Location"),
    "copies": later("Copies"),
    "status": later("Status"),
    "started_on": later("Started on"),
    "finished_on": later("Finished on"),
    "rating": later("Rating"),
    "review": later("Review"),
    "lent_to": later("Lent to"),
    "lent_at": later("Lent on"),
    "due_date": later("Due date"),
    "history": later("Loan history"),
    "type": later("Type"),
    "item_type": later("Type"),
}
"""What a note is about; translated when it is shown."""
