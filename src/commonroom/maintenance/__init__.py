"""Maintenance of the data file: scheduled integrity checks and backups, and what came of them."""

from commonroom.maintenance.runner import Maintenance

__all__ = ["Maintenance"]
