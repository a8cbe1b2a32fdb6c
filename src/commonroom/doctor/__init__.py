"""What is wrong with an installation, and how to mend it. Nothing here changes anything."""

from commonroom.doctor.examining import examine
from commonroom.doctor.findings import Finding

__all__ = ["Finding", "examine"]
