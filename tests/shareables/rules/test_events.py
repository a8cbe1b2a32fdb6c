"""What may be said of an event, and what its answers come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.errors import InvalidField, InvalidFields
from commonroom.shareables.rules.events import TypedEvent, counted, difference, event_fields
from commonroom.shareables.tables import EventRsvp
from tests.shareables.furniture import BIRTHDAY

ANSWERS: st.SearchStrategy[EventRsvp | None] = st.none() | st.builds(
    EventRsvp,
    short_id=st.just("a"),
    code=st.just("b"),
    name=st.just("c"),
    response=st.sampled_from(["going", "maybe", "notGoing"]),
    guest_count=st.integers(0, 20),
    created_at=st.just(""),
    updated_at=st.just(""),
    ttl=st.just(1),
)


class TestAnEvent:
    def test_says_all_that_is_wrong_with_it_at_once(self) -> None:
        with pytest.raises(InvalidFields) as refused:
            event_fields(TypedEvent(name=" ", start_time="soon", location="x" * 301))
        assert refused.value.by_field.keys() == {"name", "start_time", "location"}

    @pytest.mark.parametrize(
        "unfit",
        [
            replace(BIRTHDAY, start_time=""),
            replace(BIRTHDAY, end_time="2286-12-01T17:59:59+01:00"),
            replace(BIRTHDAY, location="x" * 301),
            replace(BIRTHDAY, description="x" * 10_001),
            replace(BIRTHDAY, rsvp_deadline="soon"),
            replace(BIRTHDAY, time_zone="Middle/Earth"),
        ],
    )
    def test_that_is_unfit_is_refused(self, unfit: TypedEvent) -> None:
        with pytest.raises(InvalidField):
            event_fields(unfit)

    def test_may_end_when_it_starts_in_another_zone(self) -> None:
        fields = event_fields(replace(BIRTHDAY, end_time="2286-12-01T17:00:00Z"))
        assert fields["end_time"] == fields["start_time"]

    @given(ANSWERS, ANSWERS)
    def test_counts_what_an_answer_changes(
        self, before: EventRsvp | None, after: EventRsvp | None
    ) -> None:
        total = counted(*filter(None, [before]))
        total.update(difference(before, after))
        assert +total == +counted(*filter(None, [after]))
