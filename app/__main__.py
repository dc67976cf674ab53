"""`python -m mqconvert.app`: the command line."""

import sys

from mqconvert.app.cli import main

if __name__ == "__main__":  # spawned processes of --jobs import this module
    sys.exit(main())
