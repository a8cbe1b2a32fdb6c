"""What can be done with shareables."""
