"""What a field takes at least and at most is the rules' to say: templates name the bound."""

from __future__ import annotations

import re
from pathlib import Path

from commonroom.http.template_engine import limit

SOURCE = Path(__file__).parents[2] / "src" / "commonroom"
NUMERIC = re.compile(r"\b(min|max|minlength|maxlength)=\"([0-9][^\"]*)\"")
NAMED = re.compile(r"\blimit\(\"([^\"]+)\"\)")

OF_NOTHING = {("min", "0"), ("min", "1")}
"""Nobody can have fewer than none, or choose fewer than one."""
EXCUSED = {
    ("hangouts/new.html", 'min="2"'): "one part is no series",
    ("library/collection.html", 'maxlength="7"'): "as long as 1000.99",
    ("library/parts/lending.html", 'min="1970-01-02"'): "the first day in every time zone",
    ("library/parts/lending.html", 'max="2100-12-31"'): "spares a picker the years after it",
    ("search/search.html", 'maxlength="4"'): "a year has four digits",
    ("shareables/guests.html", 'max="100"'): "per cent",
    ("shareables/home.html", 'maxlength="40"'): "an id, with whatever was pasted around it",
}


def test_no_template_has_a_bound_of_its_own() -> None:
    found = {
        (path.as_posix().split("/templates/")[1], match[0])
        for path in SOURCE.rglob("templates/**/*.html")
        for match in NUMERIC.finditer(path.read_text())
        if match.groups() not in OF_NOTHING
    }
    assert found == EXCUSED.keys()


def test_every_bound_that_a_template_names_is_there() -> None:
    named = {
        name
        for path in SOURCE.rglob("templates/**/*.html")
        for name in NAMED.findall(path.read_text())
    }
    assert len(named) > 20
    assert {name for name in named if not isinstance(limit(name), int)} == set()
