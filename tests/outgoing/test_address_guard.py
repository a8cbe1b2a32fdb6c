"""Which addresses are public."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.outgoing.address_guard import is_public

OURS = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/29",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/8",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/32",
    "2001:2::/48",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
]


@pytest.mark.parametrize("network", OURS)
@given(data=st.data())
def test_no_address_of_a_network_with_another_use_is_public(
    network: str, data: st.DataObject
) -> None:
    if ":" in network:
        inside: st.SearchStrategy[object] = st.ip_addresses(network=IPv6Network(network))
    else:
        inside = st.ip_addresses(network=IPv4Network(network))
    assert not is_public(str(data.draw(inside)))


@given(st.ip_addresses(v=4))
def test_an_address_that_is_wrapped_in_another_is_never_public(inner: IPv4Address) -> None:
    for prefix in ("::ffff:0:0", "::", "64:ff9b::", "::ffff:0:0:0"):
        assert not is_public(str(IPv6Address(int(IPv6Address(prefix)) + int(inner))))
    assert not is_public(str(IPv6Address((0x2002 << 112) + (int(inner) << 80))))


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "8.8.8.8", "2606:4700::1111", "2a00:1450:4001::1"]
)
def test_everybody_s_addresses_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("text", ["", "localhost", "127.1", "0x7f000001", "fe80::1%eth0", "1.1.1"])
def test_what_is_no_address_or_only_of_one_link_is_not(text: str) -> None:
    assert not is_public(text)
