"""One self-hosted place for a household and its friends."""

from importlib.metadata import version

__version__ = version("commonroom")
