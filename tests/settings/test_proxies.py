"""The proxies whose word is taken."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from commonroom.settings import WrongSetting, load
from commonroom.settings.proxies import networks


@pytest.mark.parametrize(
    "text, listed",
    [
        ("", []),
        ("127.0.0.1", ["127.0.0.1/32"]),
        ("10.0.0.0/8, ::1", ["10.0.0.0/8", "::1/128"]),
        ("192.168.1.1/24 ,fd00::/8", ["192.168.1.0/24", "fd00::/8"]),
    ],
)
def test_are_addresses_and_networks(text: str, listed: list[str]) -> None:
    assert networks(text) == tuple(map(ip_network, listed))
    assert (
        load({"data": "nowhere"}, {"COMMONROOM_TRUSTED_PROXIES": text}, ()).settings.trusted_proxies
        == text
    )


@pytest.mark.parametrize("text", ["proxy.example", "*", "10.0.0.0/33", "10.0.0.1,", "10.0.0.1 ::1"])
def test_anything_else_stops_the_start_with_a_sentence(text: str) -> None:
    with pytest.raises(WrongSetting) as wrong:
        load({"data": "nowhere"}, {"COMMONROOM_TRUSTED_PROXIES": text}, ())
    assert wrong.value.detail == (
        "trusted_proxies (environment COMMONROOM_TRUSTED_PROXIES) must be IP addresses and "
        f"networks with commas between, such as 10.0.0.0/8, not {text!r}."
    )
