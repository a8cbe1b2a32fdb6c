"""Series and their dates."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.hangouts.tables import (
    Series,
    SeriesPointer,
)
from commonroom.store import copied_fields
from tests.hangouts.checks.example import House
from tests.hangouts.checks.faults.declared import fault, lose, read


@fault("pointers", "It is missing from 1 of 3 lists")
async def a_hangout_that_its_series_does_not_have(house: House) -> None:
    at = {"series_id": house.games_night.series_id, "hangout_id": house.games_night.hangout_id}
    await lose(house, SeriesPointer.at(**at))


@fault("copies", "title is 'Chess' and Hangout says 'Games'")
async def a_hangout_with_another_title_in_its_series(house: House) -> None:
    at = {"series_id": house.games_night.series_id, "hangout_id": house.games_night.hangout_id}
    await house.load(await read(house, SeriesPointer.at(**at)), title="Chess")


@fault("pointers", "that is not for whoever has it")
async def a_hangout_of_no_series_in_one(house: House) -> None:
    fields = copied_fields(house.pub, SeriesPointer)
    await house.load(SeriesPointer(**fields, series_id=house.games_night.series_id))


@fault("series", "The series that it is in was deleted")
async def a_hangout_in_no_series(house: House) -> None:
    lost = replace(house.pub, series_id="gone", occurrence="2020-01-01", series_version=1)
    await house.load(lost)
    await house.load(SeriesPointer(**copied_fields(lost, SeriesPointer), series_id="gone"))


@fault("series", "None of its hangouts is left")
async def a_series_without_hangouts(house: House) -> None:
    series = await read(house, Series.at(series_id=house.games_night.series_id))
    await house.load(replace(series, series_id="empty"))
