"""What the library offers to others: here what any process may ask for, in `server.py` the rest."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.calendar import CalendarSource
from commonroom.joins.findings import SettingsExamination
from commonroom.joins.menus import FirstStep, NewThing
from commonroom.library.joins.calendar import calendar_entries
from commonroom.library.joins.findings import examine_books
from commonroom.library.joins.search import PLACES

OFFERS = (
    FirstStep(
        "shelf",
        "/library/add",
        "library",
        lazy("Put a book on your shelf"),
        lazy("See what you have, and who has it right now."),
    ),
    NewThing(
        name=lazy("Book or film"),
        line=lazy("Add it to a library."),
        icon="library/book",
        address="/library/add",
    ),
    NewThing(
        name=lazy("Loan"),
        line=lazy("Lend it, and see who has it."),
        icon="library/hand",
        address="/library/lend",
    ),
    *PLACES,
    CalendarSource(calendar_entries),
    SettingsExamination(examine_books),
)
