"""Export and import between engines, in the format of DynamoDB's own export to S3."""

from commonroom.store.transfer.exporter import ExportResult, export
from commonroom.store.transfer.foreign import (
    ForeignLine,
    ForeignTable,
    find_tables,
    read_lines,
)
from commonroom.store.transfer.importer import (
    Reject,
    RejectedLine,
    TableExport,
    check_items,
    load,
    nonempty_tables,
    read_export,
    storable,
)
from commonroom.store.transfer.manifest import BadExport

__all__ = [
    "BadExport",
    "ExportResult",
    "ForeignLine",
    "ForeignTable",
    "Reject",
    "RejectedLine",
    "TableExport",
    "check_items",
    "export",
    "find_tables",
    "load",
    "nonempty_tables",
    "read_export",
    "read_lines",
    "storable",
]
