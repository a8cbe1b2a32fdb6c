"""The names of an installation, as settings list them."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from commonroom.settings import WrongSetting, load
from commonroom.settings.network import host_names, networks, public_hosts


def test_names_are_as_browsers_send_them() -> None:
    given = "nas.lan, Den.Example., büro.example,my_box"
    assert host_names(given) == {"nas.lan", "den.example", "xn--bro-hoa.example", "my_box"}
    assert host_names("") == frozenset()


@pytest.mark.parametrize(
    "address, hosts",
    [
        ("", set()),
        ("https://Home.example", {"home.example"}),
        ("https://home.example:8443", {"home.example"}),
        ("https://büro.example", {"xn--bro-hoa.example"}),
        ("http://[fd00::5]:8400", set()),
    ],
)
def test_the_public_address_has_one(address: str, hosts: set[str]) -> None:
    assert public_hosts(address) == hosts


@pytest.mark.parametrize(
    "variable, value",
    [
        ("COMMONROOM_HOSTS", "nas.lan,"),
        ("COMMONROOM_HOSTS", "https://nas.lan"),
        ("COMMONROOM_HOSTS", "nas.lan:8400"),
        ("COMMONROOM_HOSTS", "*.lan"),
        ("COMMONROOM_HOSTS", "a..b"),
        ("COMMONROOM_PUBLIC_ADDRESS", "https://[home"),
        ("COMMONROOM_PUBLIC_ADDRESS", "https://home example"),
        ("COMMONROOM_METRICS_TOKEN", "short"),
        ("COMMONROOM_METRICS_TOKEN", "with a space in it, long enough"),
    ],
)
def test_what_is_no_name_is_said_at_once(variable: str, value: str) -> None:
    with pytest.raises(WrongSetting):
        load({}, {variable: value})


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
        load({"data": "nowhere"}, {"COMMONROOM_TRUSTED_PROXIES": text}).settings.trusted_proxies
        == text
    )


@pytest.mark.parametrize("text", ["proxy.example", "*", "10.0.0.0/33", "10.0.0.1,", "10.0.0.1 ::1"])
def test_anything_else_stops_the_start_with_a_sentence(text: str) -> None:
    with pytest.raises(WrongSetting) as wrong:
        load({"data": "nowhere"}, {"COMMONROOM_TRUSTED_PROXIES": text})
    assert wrong.value.detail == (
        "trusted_proxies (environment COMMONROOM_TRUSTED_PROXIES) must be IP addresses and "
        f"networks separated by commas, such as 10.0.0.0/8, not {text!r}."
    )
