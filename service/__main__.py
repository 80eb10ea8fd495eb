"""Starts the server: `python -m service`."""

import sys

from service.server.main import run


def main() -> int:
    """Serve until told to stop; the exit code of the process."""
    return run()


if __name__ == "__main__":
    sys.exit(main())
