"""The index in OpenSearch, for installations of several machines."""
