"""The DynamoDB Streams client, with credentials that may change and errors of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ParamValidationError,
)

from commonroom.store.dynamodb.connection import Connection
from commonroom.store.dynamodb.errors import (
    UNREACHABLE,
    FailedAttempt,
    store_error,
    validation_error,
)
from commonroom.store.errors import NoCredentials, StoreError, Unavailable

if TYPE_CHECKING:
    from aiodynamo.credentials import Key
    from types_aiobotocore_dynamodbstreams import DynamoDBStreamsClient

R = TypeVar("R")

EXPIRED = "ExpiredIteratorException"
TRIMMED = "TrimmedDataAccessException"
GONE = "ResourceNotFoundException"
ATTEMPTS = 3


class StreamMoved(Unavailable):
    """A stream is no longer where it was: the iterator, the records or the shard is gone."""

    def __init__(self, code: str) -> None:
        super().__init__(f"The stream is no longer where it was ({code}).")
        self.code = code


@dataclass(frozen=True, slots=True)
class _Session:
    key: Key
    client: DynamoDBStreamsClient
    resources: AsyncExitStack


class StreamClient:
    """A client that is made when it is first needed, and again when the credentials change."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sessions: list[_Session] = []
        self._opening = asyncio.Lock()

    async def call(self, request: Callable[[DynamoDBStreamsClient], Awaitable[R]]) -> R:
        """Makes a request; botocore tries it again where that may help."""
        try:
            return await self._attempt(request)
        except NoCredentials:
            # They may have expired while nobody asked.
            if not self._connection.credentials.invalidate():
                raise
            return await self._attempt(request)

    async def close(self) -> None:
        """Lets go of the connections."""
        while self._sessions:
            await self._sessions.pop().resources.aclose()

    async def _attempt(self, request: Callable[[DynamoDBStreamsClient], Awaitable[R]]) -> R:
        client = await self._client()
        try:
            return await request(client)
        except ClientError as error:
            raise self._store_error(error) from error
        except ParamValidationError as error:
            raise validation_error(str(error)) from error
        except BotoCoreError as error:
            raise self._as_store_error(FailedAttempt(UNREACHABLE, str(error))) from error

    def _store_error(self, error: ClientError) -> StoreError:
        details = error.response["Error"]
        code = str(details.get("Code", ""))
        if code in (EXPIRED, TRIMMED, GONE):
            return StreamMoved(code)
        return self._as_store_error(FailedAttempt(code, str(details.get("Message", ""))))

    def _as_store_error(self, failure: FailedAttempt) -> StoreError:
        return store_error(failure, self._connection.settings.address, ())

    async def _client(self) -> DynamoDBStreamsClient:
        key = await self._connection.credentials.get_key(self._connection.http)
        async with self._opening:
            if not self._sessions or self._sessions[-1].key != key:
                self._sessions.append(await self._open(key))
            # The one before stays for calls that are still under way with it.
            while len(self._sessions) > 2:
                await self._sessions.pop(0).resources.aclose()
            return self._sessions[-1].client

    async def _open(self, key: Key) -> _Session:
        # Loading botocore takes longer than everything else here, and only consumers need it.
        from aiobotocore.config import AioConfig
        from aiobotocore.session import get_session

        settings = self._connection.settings
        resources = AsyncExitStack()
        client = await resources.enter_async_context(
            get_session().create_client(
                "dynamodbstreams",
                region_name=settings.region,
                endpoint_url=settings.endpoint,
                aws_access_key_id=key.id,
                aws_secret_access_key=key.secret,
                aws_session_token=key.token,
                config=AioConfig(
                    connect_timeout=settings.attempt_seconds,
                    read_timeout=settings.attempt_seconds,
                    retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
                ),
            )
        )
        return _Session(key, client, resources)
