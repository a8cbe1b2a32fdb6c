"""Which steps lead to and away from being a curator."""

from __future__ import annotations

from typing import get_args

import pytest

from commonroom.errors import Conflict, InvalidField
from commonroom.watchlists.rules import curators
from commonroom.watchlists.rules.curators import Step, WhoPublishes
from commonroom.watchlists.tables import CuratorMove, CuratorStatus, Profile

ALLOWED = {
    ("apply", None): "pending",
    ("apply", "declined"): "pending",
    ("approve", "pending"): "approved",
    ("decline", "pending"): "declined",
    ("suspend", None): "suspended",
    ("suspend", "pending"): "suspended",
    ("suspend", "approved"): "suspended",
    ("suspend", "declined"): "suspended",
    ("reinstate", "suspended"): "approved",
}
STATUSES = [None, *get_args(CuratorStatus)]


@pytest.mark.parametrize("step", get_args(Step))
@pytest.mark.parametrize("status", STATUSES)
def test_only_these_steps_are_there(step: Step, status: CuratorStatus | None) -> None:
    to = ALLOWED.get((step, status))
    if to is None:
        with pytest.raises(Conflict):
            curators.status_after(step, status)
    else:
        assert curators.status_after(step, status) == to


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("who", get_args(WhoPublishes))
def test_who_publishes(status: CuratorStatus | None, who: WhoPublishes) -> None:
    expected = status == "approved" if who == "curators" else status != "suspended"
    assert curators.may_publish(status, who) is expected


def test_a_motivation_and_a_reason_are_needed_and_bounded() -> None:
    assert curators.motivation(" Because. ") == "Because."
    for rule, longest in ((curators.motivation, 1000), (curators.reason, 500)):
        assert rule("x" * longest)
        for text in ("", "  ", "x" * (longest + 1)):
            with pytest.raises(InvalidField):
                rule(text)


def test_the_newest_steps_are_remembered() -> None:
    profile = Profile(user_id="a", username="ada", created_at="", updated_at="")
    moves: list[CuratorMove] = []
    for number in range(60):
        move = CuratorMove(to="pending", by="a", at=str(number))
        moves = curators.moves_after(
            Profile(user_id="a", username="ada", created_at="", updated_at="", curator_moves=moves),
            move,
        )
    assert profile.curator_moves == []
    assert [moves[0].at, moves[-1].at, len(moves)] == ["10", "59", 50]
