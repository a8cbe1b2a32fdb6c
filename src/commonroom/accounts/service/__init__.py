"""What can be done with accounts; one module for each thing."""
