"""Whether a process is there."""

from pathlib import Path


def is_there(pid: int) -> bool:
    """Tell whether a process runs; one that has ended and waits for its parent to notice does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
