"""The embedded engine: SQLite, nothing to install."""

from commonroom.store.embedded.engine import EmbeddedEngine

__all__ = ["EmbeddedEngine"]
