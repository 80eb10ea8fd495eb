"""Exit codes of the process."""

from typing import Final

STOPPED: Final = 0
CALLS_CUT_OFF: Final = 1
CANNOT_START: Final = 2
