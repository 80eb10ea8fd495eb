"""Run as a module: a server whose children crash at once, always or if the file of BURRACO_TEST_FAIL is there."""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    when = os.environ["BURRACO_TEST_FAIL"]
    if "BURRACO_WORKER_CHANNEL" in os.environ and (when == "always" or Path(when).exists()):
        sys.stderr.write("crashing\n")
        sys.stderr.flush()
        os.abort()
    from service.server.launch import launch

    sys.exit(launch())
