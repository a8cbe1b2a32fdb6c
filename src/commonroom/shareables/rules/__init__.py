"""What shareables decide, without any I/O."""
