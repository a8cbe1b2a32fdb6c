"""What can be done in movie night; one module or folder per thing."""
