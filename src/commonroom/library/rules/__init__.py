"""Decisions of the library, without any I/O."""
