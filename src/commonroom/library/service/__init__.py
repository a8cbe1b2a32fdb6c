"""What can be done in the library."""
