"""Importing: a file is looked at, kept, and worked through in bounded steps.

A library has one import at a time; a new file takes the place of one that waits or is over.
"""

from __future__ import annotations
