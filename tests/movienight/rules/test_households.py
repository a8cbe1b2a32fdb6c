"""Names, services, who goes along, and who takes over."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.moments import iso
from commonroom.movienight.rules.households import (
    MAX_NAME,
    MAX_SERVICES,
    HouseholdRoster,
    InviteStatus,
    RosterMember,
    clean_household_name,
    clean_services,
    invite_status,
    is_invite_shown,
    is_same_name,
    is_valid,
    looks_after,
    may_remove,
    plan_departure,
    successor,
    with_current_invite_status,
)
from commonroom.movienight.tables import Household, HouseholdMembership, Invite
from commonroom.titles.streaming_services import SERVICES
from tests.movienight.rules.companies import MOMENT

DAY = 24 * 3600


def invite(status: InviteStatus, *, expires: float, ended: float | None = None) -> Invite:
    """An invite with what its status depends on."""
    return Invite(
        invite_id="i",
        group_id="home",
        created_by="ada",
        invite_token="t",
        status=status,
        created_at=MOMENT,
        expires_at=iso(expires),
        ttl=0,
        ended_at=None if ended is None else iso(ended),
    )


def user(user_id: str, *, parent: str | None = None, household: str | None = "home") -> User:
    """An account, or a managed member where it has a parent."""
    return User(
        user_id=user_id,
        display_name=user_id,
        is_managed=parent is not None,
        parent_user_id=parent,
        created_at=MOMENT,
        household_id=household,
    )


def member(
    user_id: str, joined: float, *, parent: str | None = None, gone: bool = False
) -> RosterMember:
    """Somebody in the household; gone where only their seat is left."""
    ctx = HouseholdMembership(
        group_id="home",
        user_id=user_id,
        member_type="independent" if parent is None else "managed",
        joined_at=iso(joined),
    )
    return RosterMember(None if gone else user(user_id, parent=parent), ctx)


def household(*members: RosterMember, creator: str) -> HouseholdRoster:
    """A household with a creator."""
    group = Household(group_id="home", name="Home", created_by=creator, created_at=MOMENT)
    return HouseholdRoster(group, members)


@st.composite
def households(draw: st.DrawFn) -> HouseholdRoster:
    """Any household: some with accounts, their children, some gone; the creator is one of them."""
    times = st.integers(0, 3)  # few, so that some came at the same moment
    adults = [
        member(f"adult {n}", draw(times), gone=draw(st.booleans()))
        for n in range(draw(st.integers(1, 5)))
    ]
    children = [
        member(f"child {n}", draw(times), parent=draw(st.sampled_from(adults)).user_id)
        for n in range(draw(st.integers(0, 3)))
    ]
    creator = draw(st.sampled_from(adults))
    return household(*draw(st.permutations([*adults, *children])), creator=creator.user_id)


class TestTheNameOfAHousehold:
    @pytest.mark.parametrize(
        "text, kept",
        [
            ("Home", "Home"),
            ("  The  Lindens\n", "The Lindens"),
            ("x" * MAX_NAME, "x" * MAX_NAME),
            ("🏡" * MAX_NAME, "🏡" * MAX_NAME),
            ("👩‍👧‍👦 at home", "👩‍👧‍👦 at home"),
            ("Cafe\u0301", "Café"),
        ],
    )
    def test_is_kept_on_one_line_and_counted_in_characters(self, text: str, kept: str) -> None:
        assert clean_household_name(text) == kept

    @pytest.mark.parametrize("text", ["", " \n", "x" * 41, "\x00", "\u202e", "\u200d"])
    def test_has_1_to_40_characters_that_show(self, text: str) -> None:
        with pytest.raises(InvalidField) as caught:
            clean_household_name(text)

        assert caught.value.field == "name"

    def test_holds_nothing_that_nobody_sees(self) -> None:
        assert clean_household_name("The \u202eLin\u200bdens\x1b") == "The Lindens"

    @pytest.mark.parametrize("typed", ["The Lindens", " the  lindens ", "THE LINDENS"])
    def test_can_be_typed_in_capitals_or_not(self, typed: str) -> None:
        assert is_same_name(typed, "The Lindens")

    @pytest.mark.parametrize("typed", ["", "The", "TheLindens", "The Lindens!"])
    def test_has_to_be_typed_whole(self, typed: str) -> None:
        assert not is_same_name(typed, "The Lindens")


class TestServices:
    def test_are_kept_each_once_in_one_order(self) -> None:
        assert clean_services(["netflix", "disney_plus", "netflix"]) == ["disney_plus", "netflix"]

    def test_are_at_most_twenty(self) -> None:
        slugs = sorted(SERVICES)

        assert clean_services(slugs[:MAX_SERVICES]) == slugs[:MAX_SERVICES]
        with pytest.raises(InvalidField):
            clean_services(slugs[: MAX_SERVICES + 1])

    @pytest.mark.parametrize("odd", ["", "Netflix", "Disney+", "disney plus", "cinema"])
    def test_are_known_by_their_slugs_and_never_by_their_names(self, odd: str) -> None:
        with pytest.raises(InvalidField) as caught:
            clean_services([odd])

        assert caught.value.field == "streaming_services"


class TestAnInvite:
    @pytest.mark.parametrize(
        "status, later, good",
        [
            ("pending", 1, True),
            ("pending", 0, False),
            ("accepted", 1, False),
            ("revoked", 1, False),
            ("expired", 1, False),
        ],
    )
    def test_is_good_until_it_is_used_up_or_revoked_or_runs_out(
        self, status: InviteStatus, later: float, good: bool
    ) -> None:
        assert is_valid(invite(status, expires=100 + later), 100) is good

    def test_has_expired_by_the_clock_and_only_where_it_still_worked(self) -> None:
        assert invite_status(invite("pending", expires=100), 99) == "pending"
        assert invite_status(invite("pending", expires=100), 100) == "expired"
        assert invite_status(invite("revoked", expires=100), 100) == "revoked"
        assert invite_status(invite("accepted", expires=100), 100) == "accepted"

    @pytest.mark.parametrize("status", ["accepted", "revoked"])
    def test_is_shown_for_a_day_after_it_has_ended(self, status: InviteStatus) -> None:
        ended = invite(status, expires=7 * DAY, ended=100)
        assert is_invite_shown(ended, 100 + DAY - 1)
        assert not is_invite_shown(ended, 100 + DAY)

    def test_is_shown_for_a_day_after_it_has_expired(self) -> None:
        def shown(now: float) -> bool:
            return is_invite_shown(with_current_invite_status(pending, now), now)

        pending = invite("pending", expires=100)
        assert with_current_invite_status(pending, 100).ended_at == iso(100)
        assert shown(99)
        assert shown(100 + DAY - 1)
        assert not shown(100 + DAY)

    def test_is_shown_as_long_as_it_is_there_where_it_does_not_say_when_it_ended(self) -> None:
        assert is_invite_shown(invite("revoked", expires=7 * DAY), 8 * DAY)


class TestWhoMay:
    def test_look_after_a_managed_member_is_its_parent_or_the_creator(self) -> None:
        zoe = user("zoe", parent="ben")

        assert [one for one in ("ada", "ben", "eve", "zoe") if looks_after(one, "ada", zoe)] == [
            "ada",
            "ben",
        ]

    def test_look_after_somebody_with_an_account_is_nobody(self) -> None:
        ben = user("ben")

        assert not any(looks_after(one, "ada", ben) for one in ("ada", "ben", "eve"))

    @pytest.mark.parametrize(
        "whom, who",
        [("zoe", {"ada", "ben"}), ("ben", {"ada", "ben"}), ("eve", {"ada", "eve"})],
    )
    def test_take_somebody_out_is_the_creator_the_parent_or_whoever_goes_themselves(
        self, whom: str, who: set[str]
    ) -> None:
        taken = user(whom, parent="ben" if whom == "zoe" else None)

        assert {one for one in ("ada", "ben", "eve", "zoe") if may_remove(one, "ada", taken)} == who


class TestSuccessor:
    def test_is_the_longest_standing_independent_member(self) -> None:
        staying = [member("eve", 3), member("ben", 2), member("zoe", 1, parent="ben")]

        heir = successor(staying)

        assert heir is not None
        assert heir.user_id == "ben"

    def test_a_child_is_never_promoted_to_creator(self) -> None:
        assert successor([member("zoe", 1, parent="ben"), member("yann", 2, parent="eve")]) is None

    @given(households(), st.randoms())
    def test_does_not_depend_on_the_order_of_the_members(
        self, some: HouseholdRoster, chance: Random
    ) -> None:
        shuffled = sorted(some.members, key=lambda _: chance.random())

        assert successor(shuffled) == successor(some.members)


class TestParting:
    def test_takes_the_leavers_managed_members_along(self) -> None:
        some = household(
            member("ada", 1),
            member("ben", 2),
            member("zoe", 3, parent="ben"),
            member("yann", 4, parent="ada"),
            creator="ada",
        )

        parted = plan_departure(some, ["ben"])

        assert [one.user_id for one in parted.leaving] == ["ben", "zoe"]
        assert [one.user_id for one in parted.staying] == ["ada", "yann"]
        assert parted.creator_id == "ada"

    def test_hands_over_where_the_creator_leaves(self) -> None:
        some = household(member("ada", 1), member("eve", 3), member("ben", 2), creator="ada")

        assert plan_departure(some, ["ada"]).creator_id == "ben"

    def test_hands_over_to_nobody_whose_account_was_deleted(self) -> None:
        some = household(
            member("ada", 1), member("ben", 2, gone=True), member("eve", 3), creator="ada"
        )

        parted = plan_departure(some, ["ada"])

        assert parted.creator_id == "eve"
        assert [one.user_id for one in parted.leaving] == ["ada", "ben"]

    def test_with_the_last_independent_member_leaves_nobody(self) -> None:
        some = household(member("ada", 1), member("zoe", 2, parent="ada"), creator="ada")

        parted = plan_departure(some, ["ada"])

        assert [one.user_id for one in parted.leaving] == ["ada", "zoe"]
        assert not parted.staying
        assert parted.creator_id is None

    @given(households(), st.data())
    def test_whoever_goes_the_rest_is_a_household_or_nothing(
        self, some: HouseholdRoster, data: st.DataObject
    ) -> None:
        everybody = [one.user_id for one in some.members]
        going = data.draw(st.sets(st.sampled_from(everybody)))

        parted = plan_departure(some, going)

        staying = {one.user_id for one in parted.staying}
        assert sorted([*staying, *(one.user_id for one in parted.leaving)]) == sorted(everybody)
        assert staying.isdisjoint(going)
        assert not any(one.is_gone for one in parted.staying)
        parents = {one.user.parent_user_id for one in parted.staying if one.user} - {None}
        assert parents <= staying
        assert (parted.creator_id is None) is (not staying)
        if parted.creator_id is not None:
            assert parted.creator_id in staying
            assert parted.creator_id.startswith("adult")
        if some.group.created_by in staying:
            assert parted.creator_id == some.group.created_by
