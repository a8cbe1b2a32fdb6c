"""Manifests of an export: DynamoDB's own for each table, and one for the whole."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.store.errors import Refused

EXPORT_MANIFEST = "commonroom-export.json"
SUMMARY = "manifest-summary.json"
FILES = "manifest-files.json"
DATA = "data"
FORMAT = 1
OUTPUT_FORMAT = "DYNAMODB_JSON"
FULL_EXPORT = "FULL_EXPORT"


class BadExport(Refused):
    """An export that is incomplete, changed, or not for these tables; nothing was imported."""

    title = "This export cannot be imported"


class ExportManifest(Struct, frozen=True):
    """What `commonroom export` made: its tables, each with its number of items."""

    format: int
    exported_at: str
    engine: str
    tables: dict[str, int]


class ManifestSummary(Struct, frozen=True, rename="camel", kw_only=True):
    """DynamoDB's `manifest-summary.json`; what only S3 knows is left out."""

    version: str = "2020-06-30"
    table_arn: str = ""
    start_time: str = ""
    end_time: str = ""
    export_time: str = ""
    manifest_files_s3_key: str = ""
    item_count: int
    output_format: str = OUTPUT_FORMAT
    export_type: str = FULL_EXPORT


class DataFile(Struct, frozen=True, rename="camel", kw_only=True):
    """One line of DynamoDB's `manifest-files.json`."""

    item_count: int
    md5_checksum: str
    """Of the compressed file, in base64."""
    etag: str = ""
    data_file_s3_key: str

    @property
    def name(self) -> str:
        """The file's own name, without the folders that it had in S3."""
        return self.data_file_s3_key.rpartition("/")[2]


class ExportLine(Struct, frozen=True, rename="pascal"):
    """One line of a data file."""

    item: dict[str, Any]


def table_arn(name: str) -> str:
    """A table's address as DynamoDB Local writes it, for an export that never was in AWS."""
    return f"arn:aws:dynamodb:ddblocal:000000000000:table/{name}"


def table_of_arn(arn: str) -> str:
    """Returns the table's name in an address."""
    return arn.partition(":table/")[2].partition("/")[0]
