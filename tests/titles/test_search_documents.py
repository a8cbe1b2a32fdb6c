"""What of stored titles can be found: not those on their way out, nor those of one person alone."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.titles.search_documents import stored_document
from commonroom.titles.tables import Movie, Show

THEN = "2026-01-01T00:00:00.000Z"
FIELDS: dict[str, Any] = {"title": "Mia turns seven", "created_at": THEN, "updated_at": THEN}


def test_a_stored_title_can_be_found() -> None:
    assert stored_document(Movie(movie_id="m", **FIELDS)) is not None
    assert stored_document(Show(show_id="s", **FIELDS)) is not None


@pytest.mark.parametrize("hidden", [{"removed_at": THEN}, {"is_unlisted": True}])
def test_a_title_that_nobody_is_to_come_across_cannot(hidden: dict[str, Any]) -> None:
    assert stored_document(Movie(movie_id="m", **FIELDS, **hidden)) is None
    assert stored_document(Show(show_id="s", **FIELDS, **hidden)) is None
