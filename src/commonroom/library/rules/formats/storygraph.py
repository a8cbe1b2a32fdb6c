"""StoryGraph: “Export library”, one row for each book."""

from __future__ import annotations

from collections.abc import Collection

from commonroom.library.rules.formats.draft import Draft, Progress
from commonroom.library.rules.formats.sheets import Cells
from commonroom.library.rules.formats.values import split_list, split_people, take_isbn

UNOWNED = frozenset({"to-read"})
PROGRESS: dict[str, Progress] = {"to-read": 0, "currently-reading": 1, "paused": 1, "read": 2}


def is_header(columns: Collection[str]) -> bool:
    """Whether a file with these columns comes from there."""
    return {"title", "authors", "isbn/uid", "read status"} <= set(columns)


def read(cells: Cells, _now: float) -> Draft:
    """A row as a book."""
    draft = Draft(cells.number, "book", cells.get("title"))
    authors = [name for one in split_list(cells.get("authors"), ",") for name in split_people(one)]
    draft.take_people("authors", authors)
    draft.take_people("contributors", split_list(cells.get("contributors"), ","))
    take_isbn(draft, cells.get("isbn/uid"))
    draft.take_line("format", cells.get("format"))
    draft.take_rating(cells.get("star rating"))
    draft.take_review(cells.get("review"))
    _take_dates(draft, cells)
    status = cells.get("read status").casefold()
    draft.take_progress(PROGRESS.get(status))
    # What was paused or given up is no status of ours: as a tag it is not lost.
    other = [status] if status not in ("to-read", "currently-reading", "read") else []
    draft.take_tags([*split_list(cells.get("tags"), ","), *other])
    owned = ["owned"] if cells.get("owned?").casefold() == "yes" else []
    draft.take_shelves([status, *owned])
    return draft


def _take_dates(draft: Draft, cells: Cells) -> None:
    """Takes from when to when it was read last: 2025/03/01-2025/03/14, or the last day alone."""
    times = split_list(cells.get("dates read"), ",")
    first, _, last = times[-1].partition("-") if times else ("", "", "")
    if len(times) > 1:
        draft.note("finished_on", f"It was read {len(times)} times; only the last is kept.")
    draft.take_day("started_on", first if last else "")
    draft.take_day("finished_on", last or cells.get("last date read") or first)
    cells.pass_over("last date read")
