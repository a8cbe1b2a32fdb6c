"""Shareables: checklists, events and polls that need no account, behind a short id."""
