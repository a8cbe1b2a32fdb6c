"""Everything out of one engine and into another, in the format of DynamoDB's own export to S3."""

from commonroom.store.transfer.exporting import Exported, export
from commonroom.store.transfer.importing import load, tables_in_use
from commonroom.store.transfer.layout import BadExport
from commonroom.store.transfer.reading import Export, check_items, read_export

__all__ = [
    "BadExport",
    "Export",
    "Exported",
    "check_items",
    "export",
    "load",
    "read_export",
    "tables_in_use",
]
