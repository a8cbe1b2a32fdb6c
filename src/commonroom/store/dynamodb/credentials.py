"""Credentials: of the environment, the shared file, the container or, if set so, the instance."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from aiodynamo.credentials import (
    ContainerMetadataCredentials,
    Credentials,
    EnvironmentCredentials,
    FileCredentials,
    InstanceMetadataCredentialsV2,
    Key,
)
from aiodynamo.http.types import HttpImplementation

from commonroom.store.errors import NoCredentials

MISSING = (
    "There are no credentials for DynamoDB: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
    "or fill the shared credentials file."
)


class CheckedCredentials(Credentials):
    """One source of credentials, whose every failure is ours and is raised at once."""

    def __init__(self, source: Credentials) -> None:
        self._source = source

    async def get_key(self, http: HttpImplementation) -> Key:
        try:
            key = await self._source.get_key(http)
        except Exception as error:
            name = type(self._source).__name__
            raise NoCredentials(f"{name} gave no credentials for DynamoDB: {error!r}.") from error
        if key is None or not (key.id and key.secret):
            raise NoCredentials(MISSING)
        return key

    def invalidate(self) -> bool:
        return self._source.invalidate()

    def is_disabled(self) -> bool:
        return self._source.is_disabled()


def find_credentials(*, instance_role: bool) -> CheckedCredentials:
    """The first source that is set up; aiodynamo's own chain would ask the instance unasked."""
    for source in _sources(instance_role):
        if not source.is_disabled():
            return CheckedCredentials(source)
    raise NoCredentials(MISSING)


def _sources(instance_role: bool) -> Iterator[Credentials]:
    yield EnvironmentCredentials()
    path = os.environ.get("AWS_SHARED_CREDENTIALS_FILE")
    yield FileCredentials(path=Path(path) if path else None)
    yield ContainerMetadataCredentials()
    if instance_role:
        yield InstanceMetadataCredentialsV2()
