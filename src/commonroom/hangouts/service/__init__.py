"""What can be done with hangouts."""
