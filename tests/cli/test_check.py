"""`commonroom check`."""

from __future__ import annotations

import pytest

from commonroom.store.streams import progress
from tests.support.commands import Commands
from tests.support.sample_data import BOOK, LIBRARY, THINGS, USER, ruin, spoil, stored


@pytest.fixture(autouse=True)
def nobody_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """No consumer runs beside these commands, so they need not wait for any."""
    monkeypatch.setattr(progress, "IDLE_SECONDS", progress.STEP_SECONDS)


def test_where_all_is_well_it_says_so(lived_in: Commands) -> None:
    ended = lived_in.ok("check")
    assert ended.out == f"{len(THINGS)} items, no problems found.\n"


def test_drift_is_found_then_mended(lived_in: Commands) -> None:
    spoil(lived_in.data / "commonroom.db", BOOK, GSI2SK="item#old", OwnerName="Somebody")
    found = lived_in("check", "--json")
    assert found.code == 1
    assert (found.json["found"], found.json["left"]) == (2, 1)
    assert {one["check"] for one in found.json["problems"]} == {"keys", "copies"}
    assert found.json["problems"][0]["table"] == "MediaLibrary"
    assert found.json["problems"][0]["key"] == ["owner#U1", "library#l#item#b"]
    on_its_way = {one["check"] for one in found.json["problems"] if one["on_its_way"]}
    assert on_its_way == {"copies"}, "nobody has processed that the owner was stored"
    repaired = lived_in.ok("check", "--repair")
    assert "2 repaired, 0 left" in repaired.out
    lived_in.ok("check")


def test_what_consumers_have_not_done_yet_is_on_its_way(commonroom: Commands) -> None:
    commonroom.ok("demo")
    ended = commonroom.ok("check")
    assert "on its way  watched" in ended.out
    assert "on their way, 0 left. Changes are not all processed yet" in ended.out
    found = commonroom.ok("check", "--json").json
    assert found["on_its_way"] == found["found"] > 0


def test_rooms_have_checks_of_their_own(lived_in: Commands) -> None:
    spoil(lived_in.data / "commonroom.db", LIBRARY, TotalItems=5)
    found = lived_in("check")
    assert found.code == 1
    assert "Its count says 5 items, 0 of them lent, but it has 1, 0 of them lent." in found.out
    assert "1 repaired, 0 left" in lived_in.ok("check", "--repair").out
    lived_in.ok("check")


def test_what_cannot_be_mended_ends_with_1(lived_in: Commands) -> None:
    spoil(lived_in.data / "commonroom.db", USER, display_name=7)
    ended = lived_in("check", "--repair")
    assert ended.code == 1
    assert "wrong  decoding  Users  u-1" in ended.out
    assert "Only a person can repair this." in ended.out
    assert "Traceback" not in ended.err


def test_an_item_that_cannot_be_decoded_is_named_and_nothing_is_taken_for_gone(
    lived_in: Commands,
) -> None:
    file = lived_in.data / "commonroom.db"
    ruin(file, LIBRARY)
    ended = lived_in("check", "--repair", "--json")
    assert ended.code == 1
    [named] = ended.json["problems"]
    assert named["check"] == "decoding"
    assert (named["table"], named["key"]) == ("MediaLibrary", ["owner#U1", "library#l"])
    assert "cannot be decoded" in named["detail"]
    assert len(stored(file)["MediaLibrary"]) == 3, "what belongs to it stays"


def test_without_data_there_is_nothing_to_check(commonroom: Commands) -> None:
    assert "There is no data file" in commonroom("check").sentence
    assert not commonroom.data.exists()


def test_on_dynamodb_too(on_dynamodb: Commands) -> None:
    assert "tables create" in on_dynamodb("check").sentence
    on_dynamodb.ok("tables", "create")
    assert on_dynamodb.ok("check", "--json").json == {
        "items": 0,
        "found": 0,
        "repaired": 0,
        "on_its_way": 0,
        "left": 0,
        "problems": [],
    }
