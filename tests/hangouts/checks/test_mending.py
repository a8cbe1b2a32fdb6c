"""Each thing that can drift: named in a sentence, mended, and then all is well."""

from __future__ import annotations

import pytest

from commonroom.store import Store
from commonroom.store.checking import ReportedProblem
from tests.accounts.people import Watch
from tests.hangouts.checks.example import House, everything
from tests.hangouts.checks.faults import BREAKS, Break
from tests.hangouts.friends import tidied


@pytest.fixture
async def house(store: Store, clock: Watch) -> House:
    """A room in which everything is as it should be."""
    return await House.furnished(store, clock)


def check_named(breaks: Break, found: list[ReportedProblem]) -> None:
    """Holds that what is broken is among what was found."""
    kind, sentence = BREAKS[breaks]
    assert (kind, True) in [(one.check, sentence in one.detail) for one in found], found


async def break_and_mend(house: House, breaks: Break) -> None:
    """Holds that what is broken is named and mended, and that nothing else is touched."""
    before = await house.things()
    await breaks(house)
    check_named(breaks, await house.drift())
    mended = await house.drift(repair=True)
    assert all(one.repaired for one in mended), mended
    once = await everything(house.store)
    assert await house.drift(repair=True) == []
    assert await everything(house.store) == once, "mending twice changes nothing"
    await tidied(house.store, house.clock)
    assert await house.drift() == []
    assert await house.things() == before
    await house.is_sound()


async def test_where_nothing_is_broken_nothing_is_found(house: House) -> None:
    assert await house.drift() == []
    await house.is_sound()


@pytest.mark.parametrize("breaks", BREAKS, ids=lambda breaks: breaks.__name__)
async def test_what_is_broken_is_named_and_mended(house: House, breaks: Break) -> None:
    await break_and_mend(house, breaks)


async def test_one_after_the_other_is_named_and_mended_on_dynamodb(
    dynamodb: Store, clock: Watch
) -> None:
    house = await House.furnished(dynamodb, clock)
    before = await house.things()
    for breaks in BREAKS:
        await breaks(house)
        mended = await house.drift(repair=True)
        check_named(breaks, mended)
        assert all(one.repaired for one in mended), mended
        await house.read_again()
    assert await house.drift() == []
    assert await house.things() == before
    await house.is_sound()
