"""The embedded index: SQLite's full-text search in a file of its own, beside the data file."""
