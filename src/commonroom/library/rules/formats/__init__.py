"""Files that shelves come in: other services' exports, and our own CSV and JSON."""
