from pathlib import Path

import pytest
from aiohttp import web

from commonroom.store.dynamodb import DynamoEngine, DynamoSettings, connect
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.errors import NoCredentials
from tests.store.dynamodb.samples import PLAIN, shelf
from tests.store.dynamodb.standin import Answer, StandIn, fault


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")


@pytest.mark.usefixtures("nobody")
async def test_without_credentials_it_fails_before_any_request(standin: StandIn) -> None:
    with pytest.raises(NoCredentials, match="AWS_ACCESS_KEY_ID"):
        await connect(standin.settings())
    assert standin.requests == []


async def test_empty_credentials_are_none(
    standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "")
    with pytest.raises(NoCredentials):
        await connect(standin.settings())
    assert standin.requests == []


@pytest.mark.usefixtures("nobody")
async def test_the_shared_file_is_read(
    standin: StandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "credentials"
    file.write_text("[mine]\naws_access_key_id = a\naws_secret_access_key = b\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    monkeypatch.setenv("AWS_PROFILE", "mine")
    connection = Connection(standin.settings())
    assert (await connection.credentials.get_key(connection.http)).id == "a"
    await connection.close()


@pytest.mark.usefixtures("nobody")
async def test_the_instance_is_not_asked_unless_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("AWS_EC2_METADATA_DISABLED")
    with pytest.raises(NoCredentials):
        await connect(DynamoSettings("x", endpoint="http://127.0.0.1:9"))
    connection = Connection(DynamoSettings("x", instance_role=True))
    assert not connection.credentials.is_disabled()
    await connection.close()


class Container:
    """Gives credentials as a container's own server does, each time others."""

    def __init__(self) -> None:
        self.given = 0

    async def handle(self, _: web.Request) -> web.Response:
        self.given += 1
        key = {"AccessKeyId": f"key{self.given}", "SecretAccessKey": "s", "Token": "t"}
        return web.json_response({**key, "Expiration": "2099-01-01T00:00:00Z"})


@pytest.fixture
async def container(nobody: None, monkeypatch: pytest.MonkeyPatch) -> object:
    given = Container()
    app = web.Application()
    app.router.add_get("/role", given.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"http://{host}:{port}/role")
    yield given
    await runner.cleanup()


async def test_a_container_is_asked_and_asked_again_when_its_credentials_expire(
    standin: StandIn, container: Container
) -> None:
    standin.answer(fault("ExpiredTokenException"), Answer({}))
    async with DynamoEngine(Connection(standin.settings())) as engine:
        assert await engine.get(shelf, ("p", "1"), PLAIN) is None
    assert container.given == 2
    assert len(standin.requests) == 2


async def test_streams_get_new_credentials_too(standin: StandIn, container: Container) -> None:
    stream = Answer({"Table": {"LatestStreamArn": "arn:aws:dynamodb:eu-central-1:0:table/Shelf/1"}})
    shards = Answer({"StreamDescription": {"StreamStatus": "ENABLED", "Shards": []}})
    expired = fault("ExpiredTokenException")
    standin.answer(stream, expired, shards, expired, shards, expired, shards)
    async with DynamoEngine(Connection(standin.settings())) as engine:
        for _ in range(3):
            assert await engine.shards(shelf) == []
    assert container.given == 4


@pytest.mark.usefixtures("nobody")
async def test_a_container_that_does_not_answer_is_said(
    standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:9/role")
    with pytest.raises(NoCredentials, match="ContainerMetadataCredentials"):
        await connect(standin.settings())
    assert standin.requests == []
