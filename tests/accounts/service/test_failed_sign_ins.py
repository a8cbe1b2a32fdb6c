"""The log of failed sign-ins: a form that programs read, and that nobody else can write."""

from __future__ import annotations

import logging
import re
from configparser import RawConfigParser
from pathlib import Path

import pytest

from commonroom.accounts.errors import LinkExpired, WrongPassword
from commonroom.accounts.service.sessions import sign_in
from commonroom.accounts.service.throttle import (
    LOG_LINES,
    Means,
    failures_logged,
    log_failed_sign_in,
)
from commonroom.accounts.tables import User
from commonroom.errors import RateLimited
from commonroom.logs import FORMAT
from commonroom.rate_limits import RateLimiter
from commonroom.store import Store
from tests.accounts.people import PASSWORD, Watch

DOCUMENTED = Path(__file__).parents[3] / "docs" / "operating.md"
# What fail2ban puts in place of <HOST>, as far as we need it.
HOST = r"(?P<host>(?:\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F:]+)"
ONE_OF_SEVERAL = FORMAT.replace(" ", " [2] ", 1)
"""As one of several processes writes."""


@pytest.fixture(autouse=True)
def lines(monkeypatch: pytest.MonkeyPatch) -> RateLimiter:
    """What is left of the lines that each network may write."""
    left = RateLimiter(LOG_LINES)
    monkeypatch.setattr("commonroom.accounts.service.throttle._log_lines", left)
    return left


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """The log, as far as it is about signing in."""
    caplog.set_level(logging.WARNING, "commonroom.sign_in")
    return caplog


def documented_filter() -> re.Pattern[str]:
    """The filter that the documentation tells people to write."""
    found = re.search(r"```ini\n(\[INCLUDES\].*?)```", DOCUMENTED.read_text(), re.DOTALL)
    assert found, "the filter is not documented"
    parser = RawConfigParser()
    parser.read_string(found[1])
    pattern = parser["Definition"]["failregex"]
    # Empty where lines go to a file of their own; a system's log puts its own words there.
    return re.compile(pattern.replace("%(__prefix_line)s", "").replace("<HOST>", HOST))


def written(log: pytest.LogCaptureFixture, form: str = FORMAT) -> list[str]:
    return [logging.Formatter(form).format(one) for one in log.records]


@pytest.mark.parametrize("form", [FORMAT, ONE_OF_SEVERAL], ids=["alone", "one of several"])
@pytest.mark.parametrize("by", ["password", "passcode", "code", "link"])
@pytest.mark.parametrize(
    "address, host",
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8::7", "2001:db8::7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::7%eth0", "fe80::7"),
    ],
)
def test_the_documented_filter_finds_the_address(
    log: pytest.LogCaptureFixture, form: str, by: Means, address: str, host: str
) -> None:
    log_failed_sign_in(by, address)
    [line] = written(log, form)
    found = documented_filter().search(line)
    assert found, line
    assert found["host"] == host


def test_a_program_with_a_token_that_ended_is_written_down_and_not_shut_out(
    log: pytest.LogCaptureFixture,
) -> None:
    log_failed_sign_in("token", "203.0.113.7")
    [line] = written(log)
    assert line == "WARNING sign-in failed by=token address=203.0.113.7"
    assert not documented_filter().search(line)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "a-socket",
        "203.0.113.7\nWARNING sign-in failed by=password address=198.51.100.1",
        "198.51.100.1 address=203.0.113.7",
        "fe80::7%\x1b[31m\n",
    ],
)
def test_nobody_writes_another_s_address_into_it(
    log: pytest.LogCaptureFixture, address: str
) -> None:
    log_failed_sign_in("password", address)
    [line] = written(log)
    assert re.fullmatch(r"WARNING sign-in failed by=password address=(unknown|fe80::7)", line)


@pytest.mark.parametrize(
    "line",
    [
        "INFO GET /sign-in failed by=password address=198.51.100.1",
        "WARNING An e-mail was not sent: sign-in failed by=password address=198.51.100.1",
        "WARNING sign-in failed by=password address=198.51.100.1 and more",
    ],
)
def test_no_other_line_is_taken_for_one(line: str) -> None:
    assert not documented_filter().search(line)


def test_one_network_cannot_fill_the_disk_with_it(log: pytest.LogCaptureFixture) -> None:
    for number in range(10 * LOG_LINES.burst):
        log_failed_sign_in("password", f"2001:db8::{number:x}")
    assert len(log.records) <= LOG_LINES.burst + 1
    log_failed_sign_in("password", "203.0.113.7")
    assert log.records[-1].getMessage().endswith("address=203.0.113.7")


def test_what_is_no_guess_is_not_written_down(log: pytest.LogCaptureFixture) -> None:
    with pytest.raises(KeyError), failures_logged("link", "203.0.113.7", (LinkExpired,)):
        raise KeyError
    assert not log.records
    for error in (LinkExpired("gone"), RateLimited(1)):
        with pytest.raises(type(error)), failures_logged("link", "203.0.113.7", (LinkExpired,)):
            raise error
    assert len(log.records) == 2


async def test_signing_in_writes_where_from_and_nothing_that_was_typed(
    store: Store, clock: Watch, ben: User, log: pytest.LogCaptureFixture
) -> None:
    for email in ("ben@example.org", "my password, in the wrong field"):
        with pytest.raises(WrongPassword):
            await sign_in(store, clock(), email=email, password="a secret", address="203.0.113.7")
    await sign_in(store, clock(), email="ben@example.org", password=PASSWORD, address="203.0.113.7")
    assert written(log) == ["WARNING sign-in failed by=password address=203.0.113.7"] * 2
