"""Imports in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.library.rules.formats.rows import Format
from commonroom.web.words import later

FLASH_TEXTS: Mapping[str, str] = {
    "import-started": later("The import has begun. You may leave this page meanwhile."),
    "import-stopped": later("The import is stopped. What was added before stays."),
    "import-forgotten": later("The file is forgotten. Nothing was added from it."),
    "import-undoing": later("The import is being undone. You may leave this page meanwhile."),
    "report-closed": later("The report is closed."),
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
    "order": later("Number in the collection"),
    "release_year": later("Year"),
    "year": later("Year"),
    "duration": later("Minutes"),
    "tmdb_id": later("TMDB number"),
    "picture_url": later("Picture"),
    "publisher": later("Publisher"),
    "pages": later("Pages"),
    "language": later("Language"),
    "format": later("Format"),
    "tags": later("Tags"),
    "location": later("Where it stands"),
    "copies": later("Copies"),
    "status": later("Status"),
    "started_on": later("Begun on"),
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
