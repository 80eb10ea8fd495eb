"""Starts the server: `python -m service`."""

import sys

from service.server.launch import launch


def main() -> int:
    """Serve until told to stop; the exit code of the process."""
    return launch()


if __name__ == "__main__":
    sys.exit(main())
