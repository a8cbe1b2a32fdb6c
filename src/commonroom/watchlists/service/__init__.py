"""What can be done in the room."""
