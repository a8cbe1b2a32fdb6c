"""The names of an installation, as settings list them."""

from __future__ import annotations

import pytest

from commonroom.settings import WrongSetting, load
from commonroom.settings.network import host_names, public_hosts


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
        load({}, {variable: value}, ())
