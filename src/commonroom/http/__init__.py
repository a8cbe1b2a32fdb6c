"""The kernel: routes, requests, forms, operations, access, live updates and rendering."""
