"""Texts of lists, and who may read and change one."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.secrets import digest
from commonroom.errors import InvalidField
from commonroom.watchlists.rules import lists
from commonroom.watchlists.tables import Watchlist


def watchlist(**fields: Any) -> Watchlist:
    return Watchlist(
        watchlist_id="w", curator_id="ada", title="T", created_at="", updated_at="", **fields
    )


def test_a_title_has_1_to_100_characters() -> None:
    assert lists.title("  Mind  benders ") == "Mind benders"
    for text in ("", " ", "x" * 101):
        with pytest.raises(InvalidField):
            lists.title(text)


def test_descriptions_and_notes_have_up_to_1000_characters() -> None:
    for rule in (lists.description, lists.note):
        assert rule("x" * 1000)
        assert rule(None) is None
        with pytest.raises(InvalidField):
            rule("x" * 1001)


def test_tags_are_up_to_20_of_50_characters_each_once() -> None:
    assert lists.tags(["#Noir", "noir", " sci  fi", ""]) == ["Noir", "sci fi"]
    assert len(lists.tags([str(number) for number in range(20)])) == 20
    for typed in ([str(number) for number in range(21)], ["x" * 51]):
        with pytest.raises(InvalidField):
            lists.tags(typed)


@pytest.mark.parametrize(
    "found, who, key, reads, edits",
    [
        (watchlist(), None, "", True, False),
        (watchlist(is_public=False), None, "", False, False),
        (watchlist(is_public=False), "eve", "", False, False),
        (watchlist(is_public=False), "ada", "", True, True),
        (watchlist(is_public=False, collaborator_ids=["ben"]), "ben", "", True, True),
        (watchlist(is_public=False, view_key_digest=digest("key")), None, "key", True, False),
        (watchlist(is_public=False, view_key_digest=digest("key")), None, "other", False, False),
        (watchlist(is_public=False, view_key_digest=digest("")), None, "", False, False),
        (watchlist(is_public=False, join_key_digest=digest("key")), None, "key", False, False),
        (watchlist(curator_status="suspended"), None, "", False, False),
        (watchlist(curator_status="suspended"), "ada", "", True, True),
    ],
)
def test_who_reads_and_edits(
    found: Watchlist, who: str | None, key: str, reads: bool, edits: bool
) -> None:
    assert lists.may_read(found, who, key) is reads
    assert lists.may_edit(found, who) is edits


def test_nobody_comes_across_private_lists_and_those_of_suspended_curators() -> None:
    assert lists.is_discoverable(watchlist())
    assert not lists.is_discoverable(watchlist(is_public=False))
    assert not lists.is_discoverable(watchlist(curator_status="suspended"))
