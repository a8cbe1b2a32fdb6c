"""The fetcher in a network where only some addresses are public, all of them on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from commonroom.outgoing.address_guard import Network
from commonroom.outgoing.fetcher import NotPublic, Unreachable
from tests.outgoing.conftest import Fetchers
from tests.outgoing.servers import Authority, Names, Server, serving

PUBLIC, PRIVATE = "127.0.0.1", "127.0.0.2"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who certifies the names of these tests."""
    return Authority(
        tmp_path_factory.mktemp("authority"), "films.example", "other.example", PRIVATE
    )


async def hello(request: web.Request) -> web.StreamResponse:
    """Answers whoever asks."""
    return web.Response(text="hello")


@pytest.fixture
async def public(authority: Authority) -> AsyncIterator[Server]:
    """A server at an address that is public here."""
    async with serving(hello, host=PUBLIC, tls=authority.of_server()) as server:
        yield server


@pytest.fixture
async def private(authority: Authority) -> AsyncIterator[Server]:
    """A server of the house, whose address is not public."""
    async with serving(hello, host=PRIVATE, tls=authority.of_server()) as server:
        yield server


def network(authority: Authority, names: Names) -> Network:
    """Where PUBLIC is the only public address."""
    return Network(public=PUBLIC.__eq__, resolver=names, tls=authority.of_client())


async def test_a_public_server_answers_by_https(
    fetchers: Fetchers, authority: Authority, public: Server
) -> None:
    names = Names(films_example=[[(PUBLIC, public.port)]])
    fetcher = fetchers(network=network(authority, names))
    assert (await fetcher.get("https://films.example/a")).body == b"hello"
    assert public.asked[0].headers["Host"] == "films.example"


async def test_a_name_that_means_a_private_address_is_not_asked(
    fetchers: Fetchers, authority: Authority, private: Server
) -> None:
    names = Names(films_example=[[(PRIVATE, private.port)]])
    with pytest.raises(NotPublic, match=r"films\.example is not a public address"):
        await fetchers(network=network(authority, names)).get("https://films.example/")
    assert private.asked == []


async def test_a_name_that_means_something_else_the_second_time_is_refused_then(
    fetchers: Fetchers, authority: Authority, public: Server, private: Server
) -> None:
    """DNS rebinding: what counts is the address that is connected to."""
    names = Names(films_example=[[(PUBLIC, public.port)], [(PRIVATE, private.port)]])
    first, second = (fetchers(network=network(authority, names)) for _ in range(2))
    assert (await first.get("https://films.example/")).body == b"hello"
    with pytest.raises(NotPublic):
        await second.get("https://films.example/")
    assert private.asked == []
    assert names.asked == ["films.example"] * 2


async def test_of_several_addresses_only_the_public_ones_are_used(
    fetchers: Fetchers, authority: Authority, public: Server, private: Server
) -> None:
    both = [(PRIVATE, private.port), (PUBLIC, public.port), ("127.0.0.3", private.port)]
    names = Names(films_example=[both], other_example=[both[::2]])
    fetcher = fetchers(network=network(authority, names))
    assert (await fetcher.get("https://films.example/")).body == b"hello"
    with pytest.raises(NotPublic):
        await fetcher.get("https://other.example/")
    assert private.asked == []


async def test_a_public_server_that_sends_on_to_a_private_one_is_not_followed(
    fetchers: Fetchers, authority: Authority, private: Server
) -> None:
    async def onward(request: web.Request) -> web.StreamResponse:
        return web.Response(status=302, headers={"Location": "https://other.example/"})

    async with serving(onward, host=PUBLIC, tls=authority.of_server()) as public:
        names = Names(
            films_example=[[(PUBLIC, public.port)]], other_example=[[(PRIVATE, private.port)]]
        )
        with pytest.raises(NotPublic, match=r"other\.example"):
            await fetchers(network=network(authority, names)).get(
                "https://films.example/", redirects=1
            )
    assert private.asked == []


async def test_a_certificate_that_nobody_vouches_for_is_refused(
    fetchers: Fetchers, authority: Authority, public: Server, tmp_path: Path
) -> None:
    names = Names(films_example=[[(PUBLIC, public.port)]], else_example=[[(PUBLIC, public.port)]])
    stranger = Authority(tmp_path, "films.example")
    for tls, address in (
        (stranger.of_client(), "https://films.example/"),
        (authority.of_client(), "https://else.example/"),
    ):
        fetcher = fetchers(network=Network(public=PUBLIC.__eq__, resolver=names, tls=tls))
        with pytest.raises(Unreachable, match="certificate"):
            await fetcher.get(address)
    assert public.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/",
        "https://127.0.0.2/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://0.0.0.0/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost/",
    ],
)
async def test_in_the_real_network_no_address_of_this_machine_or_house_is_asked(
    fetchers: Fetchers, address: str
) -> None:
    with pytest.raises(NotPublic, match="not a public address"):
        await fetchers().get(address)


@pytest.mark.parametrize("address", ["https://2130706433/", "https://127.1/", "https://0x7f.1/"])
async def test_nor_one_that_is_written_in_another_way(fetchers: Fetchers, address: str) -> None:
    with pytest.raises((NotPublic, Unreachable)):
        await fetchers().get(address)


@pytest.mark.parametrize(
    "address",
    [
        "http://films.example/",
        "http://films.example:443/",
        "https://films.example:8443/",
        "https://films.example:80/",
        "https://me@films.example/",
        "https://me:secret@films.example/",
        "ftp://films.example/",
        "file:///etc/passwd",
        "data:text/plain,x",
        "films.example",
        "//films.example/",
        "/films",
        "https://",
        "https://[",
        "https://films.example:port/",
        "",
        "https://films.example/" + "x" * 5000,
    ],
)
async def test_what_is_not_plainly_https_is_not_even_looked_up(
    fetchers: Fetchers, authority: Authority, address: str
) -> None:
    names = Names()
    with pytest.raises(NotPublic):
        await fetchers(network=network(authority, names)).get(address)
    assert names.asked == []


async def test_a_named_server_is_trusted_only_as_it_was_named(
    fetchers: Fetchers, private: Server
) -> None:
    async with serving(hello) as server:
        fetcher = fetchers(f"{server.address}/3")
        assert (await fetcher.get(f"{server.address}/anything")).body == b"hello"
        for other in (
            f"https://127.0.0.1:{server.port}/",
            f"http://localhost:{server.port}/",
            f"http://127.0.0.1:{private.port}/",
            f"http://me@127.0.0.1:{server.port}/",
        ):
            with pytest.raises(NotPublic):
                await fetcher.get(other)
    assert len(server.asked) == 1
