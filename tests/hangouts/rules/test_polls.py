"""Which option wins, what options may be, and until when a poll takes votes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import Conflict, InvalidField
from commonroom.hangouts.rules.polls import (
    MAX_OPTIONS,
    VOTES,
    TypedHangoutPollOption,
    is_open,
    leaders,
    leading_ids,
    new_option,
    poll_deadline,
    poll_title,
    tally_changes,
    tally_key,
    tally_of,
    with_option,
)
from commonroom.hangouts.tables import EnteredTime, HangoutPoll, HangoutPollOption, Venue, Vote
from commonroom.moments import iso

NOW = 1_800_000_000.0


def poll_of(*tallies: tuple[int, int, int], **given: object) -> HangoutPoll:
    """A poll whose options A, B, … have so many YES, MAYBE and NO."""
    options = [
        HangoutPollOption(option_id=chr(65 + number), label=str(number), created_by="ada")
        for number in range(len(tallies))
    ]
    counted = {
        tally_key(option.option_id, vote): votes
        for option, three in zip(options, tallies, strict=True)
        for vote, votes in zip(VOTES, three, strict=True)
    }
    fields = {"options": options, "tallies": counted, **given}
    return HangoutPoll(hangout_id="h", poll_id="p", created_by="ada", created_at=iso(NOW), **fields)  # type: ignore[arg-type] # tests give what fits


def winners(poll: HangoutPoll) -> str:
    return "".join(one.option_id for one in leaders(poll, NOW))


@pytest.mark.parametrize(
    "tallies, expected",
    [
        ([(2, 0, 0), (1, 5, 0)], "A"),
        ([(2, 1, 0), (2, 2, 3)], "B"),
        ([(2, 1, 1), (2, 1, 0)], "B"),
        ([(2, 1, 0), (2, 1, 0), (1, 0, 0)], "AB"),
        ([(0, 0, 0), (0, 0, 0)], "AB"),
        ([(0, 0, 3)], "A"),
        ([], ""),
    ],
)
def test_most_can_then_most_could_then_fewest_cannot(
    tallies: list[tuple[int, int, int]], expected: str
) -> None:
    assert winners(poll_of(*tallies)) == expected


def test_nothing_leads_before_anybody_can() -> None:
    assert leading_ids(poll_of((0, 0, 1), (0, 0, 1)), NOW) == []
    assert leading_ids(poll_of((0, 1, 0), (0, 0, 0)), NOW) == ["A"]


def test_a_time_that_is_over_cannot_win() -> None:
    def at(option_id: str, start: float) -> HangoutPollOption:
        return HangoutPollOption(
            option_id=option_id,
            created_by="ada",
            start_timestamp=int(start),
            end_timestamp=int(start) + 7200,
        )

    options = [at("A", NOW - 7200), at("B", NOW - 7199)]
    poll = poll_of((9, 0, 0), (1, 0, 0), options=options)
    assert winners(poll) == "B"
    assert winners(poll_of((9, 0, 0), options=options[:1])) == ""


BALLOTS = st.dictionaries(st.sampled_from("ABCX"), st.sampled_from(VOTES))


@given(BALLOTS, BALLOTS)
def test_changes_of_tallies_take_the_old_ballot_out_and_the_new_one_in(
    before: dict[str, Vote], after: dict[str, Vote]
) -> None:
    options = poll_of((0, 0, 0), (0, 0, 0), (0, 0, 0)).options
    counted = tally_changes(options, {}, before)
    for key, change in tally_changes(options, before, after).items():
        counted[key] = counted.get(key, 0) + change
    assert {key: one for key, one in counted.items() if one} == tally_changes(options, {}, after)


def test_tallies_are_read_back() -> None:
    tally = tally_of(poll_of((3, 2, 1)), "A")
    assert (tally.yes, tally.maybe, tally.no) == (3, 2, 1)


NOW = datetime(2026, 5, 1, tzinfo=UTC).timestamp()


class TestOptions:
    def test_times_stand_in_their_order_and_others_as_they_came(self) -> None:
        def at(hour: int) -> HangoutPollOption:
            typed = TypedHangoutPollOption(
                time=EnteredTime(start_time=f"2033-05-01T{hour}:00:00+00:00")
            )
            return new_option("TIME", typed, "ada", None, NOW)

        def named(text: str) -> HangoutPollOption:
            return new_option("OTHER", TypedHangoutPollOption(label=text), "ada", None, NOW)

        late, early = at(20), at(18)
        assert with_option([late], early) == [early, late]
        b, a = named("B"), named("A")
        assert with_option([b], a) == [b, a]

    def test_none_is_there_twice(self) -> None:
        pub = new_option(
            "PLACE", TypedHangoutPollOption(place=Venue(name="The pub")), "ada", None, NOW
        )
        again = new_option(
            "PLACE", TypedHangoutPollOption(place=Venue(name="THE PUB")), "ben", None, NOW
        )
        with pytest.raises(Conflict, match="already one of the options"):
            with_option([pub], again)

    def test_there_are_not_too_many(self) -> None:
        options: list[HangoutPollOption] = []
        for number in range(MAX_OPTIONS):
            typed = TypedHangoutPollOption(label=f"Option {number}")
            options = with_option(options, new_option("OTHER", typed, "ada", None, NOW))
        with pytest.raises(Conflict, match="at most"):
            with_option(
                options, new_option("OTHER", TypedHangoutPollOption(label="More"), "ada", None, NOW)
            )

    @pytest.mark.parametrize(
        "subject, typed, field",
        [
            ("TIME", TypedHangoutPollOption(label="Friday"), "time"),
            (
                "TIME",
                TypedHangoutPollOption(time=EnteredTime(start_time="soon")),
                "time.start_time",
            ),
            (
                "TIME",
                TypedHangoutPollOption(time=EnteredTime(start_time="2037-05-01T19:00:00+00:00")),
                "time.start_time",
            ),
            ("PLACE", TypedHangoutPollOption(label="The pub"), "place"),
            ("PLACE", TypedHangoutPollOption(place=Venue(name=" ")), "place.name"),
            ("OTHER", TypedHangoutPollOption(place=Venue(name="The pub")), "label"),
            ("OTHER", TypedHangoutPollOption(label=""), "label"),
            ("OTHER", TypedHangoutPollOption(label="x" * 201), "label"),
        ],
    )
    def test_they_are_what_the_poll_is_about(
        self, subject: str, typed: TypedHangoutPollOption, field: str
    ) -> None:
        with pytest.raises(InvalidField) as refused:
            new_option(subject, typed, "ada", None, NOW)  # type: ignore[arg-type] # one of them
        assert refused.value.field == field


class TestDeadlines:
    def test_a_poll_takes_votes_until_its_deadline(self) -> None:
        poll = poll_of((0, 0, 0), deadline=iso(NOW))
        assert is_open(poll, NOW - 0.001)
        assert not is_open(poll, NOW)
        assert not is_open(poll_of((0, 0, 0), closed_at=iso(NOW)), NOW - 1)

    @pytest.mark.parametrize("text", ["soon", "2027-01-15T08:00:00", "2020-01-01T00:00:00Z"])
    def test_they_are_ahead(self, text: str) -> None:
        with pytest.raises(InvalidField):
            poll_deadline(text, NOW)

    def test_they_are_stored_in_utc(self) -> None:
        assert poll_deadline("2027-02-01T10:00:00+02:00", NOW) == "2027-02-01T08:00:00.000Z"
        assert poll_deadline(None, NOW) is None


def test_only_a_plain_poll_needs_words_of_its_own() -> None:
    assert poll_title("TIME", " ") is None
    with pytest.raises(InvalidField, match="Ask something"):
        poll_title("OTHER", None)
