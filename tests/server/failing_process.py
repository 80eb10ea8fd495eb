"""Run as a module: a server whose children crash at once, always or if the file of BURRACO_TEST_FAIL is there."""

import os
import sys
from pathlib import Path

from service.server.launch import launch
from service.server.worker import CHANNEL_VARIABLE

if __name__ == "__main__":
    when = os.environ["BURRACO_TEST_FAIL"]
    if CHANNEL_VARIABLE in os.environ and (when == "always" or Path(when).exists()):
        sys.stderr.write("crashing\n")
        sys.stderr.flush()
        os.abort()
    sys.exit(launch())
