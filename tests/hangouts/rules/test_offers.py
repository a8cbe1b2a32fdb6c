"""When spots of an offer can be claimed, and how many."""

from __future__ import annotations

import pytest

from commonroom.errors import Conflict, InvalidField
from commonroom.hangouts.rules.offers import (
    MAX_SPOTS,
    SpotsTaken,
    TypedOffer,
    check_claim,
    is_open,
    offer_fields,
)
from commonroom.hangouts.tables import Offer
from commonroom.moments import iso

NOW = 1_800_000_000.0


def offer(**given: object) -> Offer:
    """An offer of somebody's."""
    fields: dict[str, object] = {"title": "A room", "created_at": iso(NOW), **given}
    return Offer(hangout_id="h", offer_id="o", user_id="eve", **fields)  # type: ignore[arg-type] # each fits


def test_it_is_open_until_its_deadline_or_until_it_is_settled() -> None:
    assert is_open(offer(), NOW)
    assert is_open(offer(deadline=iso(NOW + 1)), NOW)
    assert not is_open(offer(deadline=iso(NOW)), NOW)
    assert not is_open(offer(done_at=iso(NOW)), NOW)


def test_its_deadline_is_within_ten_years() -> None:
    for years, fits in ((9, True), (11, False)):
        typed = TypedOffer(title="A room", deadline=iso(NOW + years * 366 * 24 * 3600))
        if fits:
            assert offer_fields(typed, None, NOW)["deadline"] == typed.deadline
            continue
        with pytest.raises(InvalidField, match="ten years"):
            offer_fields(typed, None, NOW)
        before = offer(deadline=typed.deadline)
        assert offer_fields(typed, before, NOW)["deadline"] == typed.deadline, "as it was"


@pytest.mark.parametrize("taken, more", [(0, 9), (7, 2), (8, 1)])
def test_no_more_can_be_claimed_than_are_left(taken: int, more: int) -> None:
    with pytest.raises(SpotsTaken):
        check_claim(offer(capacity=8, spots_taken=taken), more, NOW)
    check_claim(offer(capacity=8, spots_taken=taken), 8 - taken, NOW)


def test_without_a_limit_there_are_still_not_endlessly_many() -> None:
    check_claim(offer(), MAX_SPOTS, NOW)
    with pytest.raises(SpotsTaken):
        check_claim(offer(), MAX_SPOTS + 1, NOW)


def test_spots_are_given_back_after_the_deadline_but_not_once_it_is_settled() -> None:
    check_claim(offer(deadline=iso(NOW), spots_taken=2), -1, NOW)
    with pytest.raises(Conflict):
        check_claim(offer(done_at=iso(NOW), spots_taken=2), -1, NOW)
