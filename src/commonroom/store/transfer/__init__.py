"""Export and import between engines, in the format of DynamoDB's own export to S3."""

from commonroom.store.transfer.exporter import ExportResult, export
from commonroom.store.transfer.importer import (
    Reject,
    RejectedLine,
    TableExport,
    check_items,
    load,
    nonempty_tables,
    read_export,
)
from commonroom.store.transfer.manifest import BadExport

__all__ = [
    "BadExport",
    "ExportResult",
    "Reject",
    "RejectedLine",
    "TableExport",
    "check_items",
    "export",
    "load",
    "nonempty_tables",
    "read_export",
]
