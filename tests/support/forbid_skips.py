"""Lets a test that is skipped fail, where FORBID_SKIPS=1 forbids that: a pytest plugin."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest


def are_skips_forbidden() -> bool:
    """Returns whether this is a run that a change must pass."""
    return os.environ.get("FORBID_SKIPS") == "1"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Looks at tests."""
    report = yield
    fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Looks at modules."""
    report = yield
    fail_if_skipped(report)
    return report


def fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turns a skip into a failure, where skips are forbidden."""
    # pytest reports an expected failure as skipped, too.
    if are_skips_forbidden() and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped in this run: {report.longreprtext}"
