"""Cached images in an S3 bucket (django-storages): sent while they are read, and given up soon if it does not answer.

Imported only where MEDIA_STORAGE names a bucket: the packages are optional (requirements-s3.txt).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

PATIENCE = Config(connect_timeout=3, read_timeout=8, retries={"total_max_attempts": 2})
"""Seconds and attempts, together below WEB_TIMEOUT: boto3's own are 60 seconds, five times."""


class Bucket(S3Storage):  # type: ignore[misc] # django-storages has no types
    """The bucket. Opening and reading raise ``FileNotFoundError`` or, while it does not answer, ``ConnectionError``."""

    client_config: Any

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.client_config = self.client_config.merge(PATIENCE)

    def _open(self, name: str, mode: str = "rb") -> Any:
        with _answering():
            found = super()._open(name, mode)
        return BucketFile(found.obj) if mode == "rb" else found


class BucketFile:
    """An object to read from the front or from some byte on. django-storages' own has all of it in memory first."""

    def __init__(self, found: Any) -> None:
        self._object = found
        self._position = 0
        self._body: Any = None

    @property
    def size(self) -> int:
        return int(self._object.content_length)

    def seek(self, position: int) -> None:
        """Read from this byte on, counted from 0."""
        self.close()
        self._position = position

    def read(self, count: int) -> bytes:
        """Return the next bytes, at most so many; none at the end."""
        with _answering():
            if self._body is None:
                self._body = self._object.get(Range=f"bytes={self._position}-")["Body"]
            return bytes(self._body.read(count))

    def close(self) -> None:
        """Leave the rest where it is."""
        if self._body is not None:
            self._body.close()
            self._body = None


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] == HTTPStatus.NOT_FOUND:
            raise FileNotFoundError(str(error)) from error
        raise ConnectionError(str(error)) from error
    except BotoCoreError as error:
        raise ConnectionError(str(error)) from error
