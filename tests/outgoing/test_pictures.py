"""Pictures: fetched through the guard when they are looked at, kept, and never in anybody's way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from commonroom.outgoing.address_guard import Network
from commonroom.outgoing.fetcher import Fetcher
from commonroom.outgoing.pictures import OPEN_PURPOSE, FetchedPictures, PictureNames
from commonroom.settings import Settings
from tests.outgoing.example_pictures import RED, is_like, looked_at, photo
from tests.outgoing.servers import Authority, Names, Server, serving

PUBLIC, PRIVATE = "127.0.0.1", "127.0.0.2"
HERE = "https://pictures.example/hobbit.jpg"


class Pictures:
    """What somebody's server of pictures answers."""

    def __init__(self) -> None:
        self.body = photo()
        self.status = 200
        self.content_type = "image/jpeg"
        self.headers: dict[str, str] = {}
        self.slow: asyncio.Event | None = None
        self.server: Server

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        if self.slow is not None:
            await self.slow.wait()
        if request.path == "/elsewhere":
            raise web.HTTPFound("https://pictures.example/hobbit.jpg")
        if request.path == "/inside":
            raise web.HTTPFound("https://inside.example/hobbit.jpg")
        return web.Response(
            body=self.body,
            status=self.status,
            content_type=self.content_type,
            headers=self.headers,
        )


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who certifies the names of these tests."""
    names = ("pictures.example", "inside.example", PRIVATE)
    return Authority(tmp_path_factory.mktemp("authority"), *names)


@pytest.fixture
async def pictures(authority: Authority) -> AsyncIterator[Pictures]:
    """A server of pictures that is public."""
    pictures = Pictures()
    async with serving(pictures, host=PUBLIC, tls=authority.of_server()) as server:
        pictures.server = server
        yield pictures
        if pictures.slow is not None:
            pictures.slow.set()


@pytest.fixture
async def inside(authority: Authority) -> AsyncIterator[Server]:
    """A server of the house, whose address is not public."""
    async with serving(Pictures(), host=PRIVATE, tls=authority.of_server()) as server:
        yield server


@pytest.fixture
def network(authority: Authority, pictures: Pictures, inside: Server) -> Network:
    """Where PUBLIC is the only public address."""
    names = Names(
        pictures_example=[[(PUBLIC, pictures.server.port)]],
        inside_example=[[(PRIVATE, inside.port)]],
    )
    return Network(public=PUBLIC.__eq__, resolver=names, tls=authority.of_client())


@pytest.fixture
def seal(tmp_path: Path) -> PictureNames:
    """What this installation seals names with."""
    return PictureNames(Settings(data=tmp_path))


@pytest.fixture
async def covers(
    tmp_path: Path, seal: PictureNames, network: Network
) -> AsyncIterator[FetchedPictures]:
    """Pictures in a folder of their own."""
    covers = FetchedPictures(tmp_path / "covers", seal, Fetcher(network=network))
    yield covers
    await covers.close()


async def seen(covers: FetchedPictures, address: str = HERE) -> bytes | None:
    """The cover of an item that has a picture at an address."""
    name = covers.name(address)
    assert name is not None
    return await covers.picture(name, "small")


async def test_a_picture_is_fetched_once_and_kept_in_both_sizes(
    covers: FetchedPictures, pictures: Pictures, tmp_path: Path
) -> None:
    name = covers.name(HERE) or ""
    for _ in range(3):
        found = await covers.picture(name, "small")
        assert found is not None
        assert is_like(looked_at(found), (50, 50), RED)
    large = await covers.picture(name, "large")
    assert large is not None
    assert looked_at(large).size == (300, 450)
    assert [one.path for one in pictures.server.asked] == ["/hobbit.jpg"]
    assert len(list((tmp_path / "covers").iterdir())) == 2


async def test_many_who_look_at_once_share_it(covers: FetchedPictures, pictures: Pictures) -> None:
    found = await asyncio.gather(*(seen(covers) for _ in range(10)))
    assert len(set(found)) == 1
    assert found[0] is not None
    assert len(pictures.server.asked) == 1


async def test_where_it_is_sent_on_to_is_followed_by_the_same_rules(
    covers: FetchedPictures, inside: Server
) -> None:
    assert await seen(covers, "https://pictures.example/elsewhere") is not None
    assert await seen(covers, "https://pictures.example/inside") is None
    assert inside.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "https://inside.example/hobbit.jpg",
        "https://127.0.0.2/hobbit.jpg",
        "http://pictures.example/hobbit.jpg",
        "https://pictures.example:8400/hobbit.jpg",
        "https://somebody:secret@pictures.example/hobbit.jpg",
        "file:///etc/passwd",
        "https://",
        "nonsense",
    ],
)
async def test_only_public_addresses_are_asked_and_only_by_https(
    covers: FetchedPictures, pictures: Pictures, inside: Server, address: str
) -> None:
    assert await seen(covers, address) is None
    assert (pictures.server.asked, inside.asked) == ([], [])


async def test_a_server_that_the_operator_named_is_not_asked_for_pictures(
    pictures: Pictures, tmp_path: Path
) -> None:
    address = pictures.server.address  # https, and not public
    covers = FetchedPictures.of(
        Settings(data=tmp_path, tmdb_address=address, open_library_address=address)
    )
    assert await seen(covers, f"{address}/hobbit.jpg") is None
    assert pictures.server.asked == []
    await covers.close()


@pytest.mark.parametrize(
    "reply",
    [
        (photo(), 200, "text/html"),
        (b"<svg onload='alert(1)'/>", 200, "image/svg+xml"),
        (b"<html>", 200, "image/jpeg"),
        (photo()[:200], 200, "image/jpeg"),
        (photo() + bytes(5_000_000), 200, "image/jpeg"),
        (photo(), 404, "image/jpeg"),
        (photo(), 500, "image/jpeg"),
        (b"", 200, "image/jpeg"),
    ],
    ids=lambda reply: f"{len(reply[0])} bytes {reply[1]} {reply[2]}",
)
async def test_what_is_no_bearable_picture_is_none_and_not_asked_for_with_every_page(
    covers: FetchedPictures, pictures: Pictures, tmp_path: Path, reply: tuple[bytes, int, str]
) -> None:
    pictures.body, pictures.status, pictures.content_type = reply
    for _ in range(3):
        assert await seen(covers) is None
    assert len(pictures.server.asked) == 1
    assert not (tmp_path / "covers").exists()


async def test_a_server_that_fails_is_left_alone(
    covers: FetchedPictures, pictures: Pictures
) -> None:
    pictures.status = 500
    for number in range(10):
        assert await seen(covers, f"https://pictures.example/{number}.jpg") is None
    assert len(pictures.server.asked) == 3


async def test_whoever_waits_does_not_wait_for_ever_and_it_is_there_the_next_time(
    covers: FetchedPictures, pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonroom.outgoing.pictures.PATIENCE", 0.05)
    pictures.slow = asyncio.Event()
    assert await seen(covers) is None
    pictures.slow.set()
    monkeypatch.undo()
    assert await seen(covers) is not None
    assert len(pictures.server.asked) == 1


async def test_where_nothing_can_be_kept_it_is_shown_all_the_same(
    seal: PictureNames, network: Network, tmp_path: Path
) -> None:
    (tmp_path / "covers").write_bytes(b"in the way")
    covers = FetchedPictures(tmp_path / "covers", seal, Fetcher(network=network))
    assert await seen(covers) is not None
    await covers.close()


class TestNames:
    async def test_one_that_was_not_given_here_leads_nowhere(
        self, covers: FetchedPictures, pictures: Pictures, tmp_path: Path
    ) -> None:
        other = PictureNames(Settings(data=tmp_path, secret_key="another house " * 3)).name(HERE)
        own = covers.name(HERE) or ""
        changed = f"{own[:-2]}{'A' if own[-2] != 'A' else 'B'}{own[-1]}"
        for name in (other, changed, own[1:], "", "A", "../../secrets.json", "é", "x" * 9000):
            assert await covers.picture(name, "small") is None
        assert pictures.server.asked == []

    def test_all_machines_of_an_installation_give_the_same(self, tmp_path: Path) -> None:
        first, second = (PictureNames(Settings(data=tmp_path)) for _ in range(2))
        assert first.name(HERE) == second.name(HERE)
        assert second.address(first.name(HERE)) == HERE

    async def test_switched_off_there_are_none_and_nobody_is_asked(
        self, covers: FetchedPictures, tmp_path: Path
    ) -> None:
        name = covers.name(HERE) or ""
        off = FetchedPictures.of(Settings(data=tmp_path, covers=False))
        assert off.name(HERE) is None
        assert await off.picture(name, "small") is None
        await off.close()

    def test_an_item_without_a_picture_has_none(self, covers: FetchedPictures) -> None:
        assert covers.name(None) is None


async def test_guests_see_what_is_kept_and_nothing_is_fetched_for_them(
    covers: FetchedPictures, pictures: Pictures
) -> None:
    name = (covers.address(HERE) or "").rpartition("/")[2]
    assert await covers.open_picture(name, "large", fetches=False) is None
    assert pictures.server.asked == []
    assert await covers.open_picture(name, "small", fetches=True) is not None
    assert await covers.open_picture(name, "large", fetches=False) is not None
    assert len(pictures.server.asked) == 1


async def test_a_name_for_those_with_an_account_opens_nothing_on_open_pages(
    tmp_path: Path, network: Network, pictures: Pictures
) -> None:
    settings = Settings(data=tmp_path)
    names = PictureNames(settings), PictureNames(settings, OPEN_PURPOSE)
    both = FetchedPictures(tmp_path / "covers", names[0], Fetcher(network=network), names[1])
    inside = both.name(HERE) or ""
    assert await both.picture(inside, "small") is not None
    assert await both.open_picture(inside, "small", fetches=True) is None
    outside = (both.address(HERE) or "").rpartition("/")[2]
    assert await both.open_picture(outside, "small", fetches=False) is not None
    assert await both.picture(outside, "small") is None
    await both.close()
