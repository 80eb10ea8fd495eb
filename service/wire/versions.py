"""Versions of the stored form of a state: which are read, and which is written unless a setting says otherwise.

Here alone, and apart from the codec, so that the settings are checked before the rules build their tables.
docs/upgrading.md says when each number rises.
"""

from typing import Final

OLDEST_VERSION: Final = 1
"""The oldest version that this release reads; it rises when no store can hold an older one any more."""
NEWEST_VERSION: Final = 1
"""The newest version that this release reads, and may be told to write."""
WRITTEN_VERSION: Final = 1
"""The version written by default: the newest one that the previous release reads, so that both can run side by side."""
