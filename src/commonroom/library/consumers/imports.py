"""Imports: worked through by a timer, and cleared up however they end."""

from __future__ import annotations

from commonroom.imports.consumers import import_consumer, import_handlers
from commonroom.library.service.imports.lifecycle import IMPORTS as KIND
from commonroom.library.service.imports.undo import undo_import
from commonroom.library.service.imports.worker import run_import

IMPORTS = import_consumer(KIND)

HANDLERS = import_handlers(KIND, run_import, undo_import)
