from __future__ import annotations

import pytest

from benchmarks.prices import GB, Bill, Prices


def test_a_bill_is_the_sum_of_its_lines() -> None:
    bill = Bill(
        read_units=8_000_000,
        write_units=4_000_000,
        stream_reads=100_000,
        table_bytes=2 * GB,
        index_bytes=GB,
    )
    assert bill.lines() == pytest.approx(
        {
            "reads": 1.0,
            "writes": 2.5,
            "reads of streams": 0.02,
            "storage": 0.75,
            "point-in-time recovery": 0.4,
        }
    )
    assert bill.dollars() == pytest.approx(4.67)


def test_other_prices_can_be_put_in() -> None:
    assert Bill(read_units=1_000_000).dollars(Prices(read_units=0.3)) == pytest.approx(0.3)
