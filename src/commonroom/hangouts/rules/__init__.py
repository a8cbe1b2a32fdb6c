"""Decisions about hangouts, without any I/O."""
