"""The setting that says which rooms are open."""

from __future__ import annotations

import pytest

from commonroom.settings import Settings, WrongSetting, load

ROOMS = ["library", "shareables", "hangouts"]


def opened(rooms: str) -> set[str]:
    settings = load({"data": "nowhere"}, {"COMMONROOM_ROOMS": rooms}, ROOMS).settings
    return {room for room in ROOMS if settings.is_open(room)}


def test_all_are_open_by_default() -> None:
    assert opened("") == set(ROOMS)
    assert all(map(Settings().is_open, ROOMS))


@pytest.mark.parametrize("rooms", ["library", "library,library"])
def test_one_may_be_enough(rooms: str) -> None:
    assert opened(rooms) == {"library"}


@pytest.mark.parametrize("rooms", ["hangouts,library", "hangouts , library"])
def test_several_have_commas_between(rooms: str) -> None:
    assert opened(rooms) == {"hangouts", "library"}


@pytest.mark.parametrize("rooms", ["cellar", "library,cellar", "library hangouts", ",", "library,"])
def test_a_room_that_there_is_not_stops_everything_with_a_sentence(rooms: str) -> None:
    with pytest.raises(WrongSetting, match=r"^rooms \(environment COMMONROOM_ROOMS\) must be some"):
        opened(rooms)
