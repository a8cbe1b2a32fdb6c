"""What watchlists decide without any I/O."""
