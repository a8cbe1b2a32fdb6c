"""What may be on a checklist, and what becomes of its items."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.errors import InvalidField
from commonroom.shareables.rules.checklists import (
    TypedChecklist,
    TypedChecklistItem,
    checklist_fields,
    removed_items,
)
from commonroom.shareables.tables import Checklist
from tests.shareables.furniture import COMMON, SHOPPING

LIST = Checklist(**COMMON, **checklist_fields(SHOPPING))


class TestAChecklist:
    @pytest.mark.parametrize(
        "unfit",
        [
            replace(SHOPPING, items=[]),
            replace(SHOPPING, items=[TypedChecklistItem(name="x")] * 201),
            replace(SHOPPING, items=[TypedChecklistItem(name="x" * 201)]),
            replace(SHOPPING, items=[TypedChecklistItem(name="x", note="x" * 1001)]),
            replace(SHOPPING, items=[TypedChecklistItem(name="")]),
            replace(SHOPPING, name="x" * 101),
            replace(SHOPPING, note="x" * 5001),
        ],
    )
    def test_that_is_unfit_is_refused(self, unfit: TypedChecklist) -> None:
        with pytest.raises(InvalidField):
            checklist_fields(unfit)

    def test_takes_as_much_as_it_may(self) -> None:
        items = [TypedChecklistItem(name="x" * 200, note="x" * 1000)] * 200
        assert len(checklist_fields(replace(SHOPPING, items=items))["items"]) == 200

    @given(st.integers(1, 12), st.integers(0, 12), st.randoms(use_true_random=False))
    def test_keeps_the_ids_of_what_stays_in_any_order(
        self, before: int, new: int, chance: random.Random
    ) -> None:
        typed = replace(SHOPPING, items=[TypedChecklistItem(name=f"{n}") for n in range(before)])
        page = Checklist(**COMMON, **checklist_fields(typed))
        kept = chance.sample(page.items, chance.randint(0 if new else 1, before))
        items = [
            TypedChecklistItem(checklist_item_id=one.checklist_item_id, name="x") for one in kept
        ]
        items += [TypedChecklistItem(name="y")] * new
        saved = checklist_fields(replace(typed, items=items), page)["items"]

        assert [one.checklist_item_id for one in saved[: len(kept)]] == [
            one.checklist_item_id for one in kept
        ]
        ids = {one.checklist_item_id for one in saved}
        assert len(ids) == len(saved)
        gone = {one.checklist_item_id for one in page.items} - ids
        assert set(removed_items(page, saved)) == gone

    def test_holds_no_item_twice_and_none_of_another_list(self) -> None:
        first = LIST.items[0].checklist_item_id
        twice = [TypedChecklistItem(checklist_item_id=first, name="x")] * 2
        for unfit, before in ((twice, LIST), (twice[:1], None)):
            with pytest.raises(InvalidField):
                checklist_fields(replace(SHOPPING, items=unfit), before)
