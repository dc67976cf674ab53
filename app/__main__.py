"""`python -m mqconvert.app`: the command line."""

import sys

from mqconvert.app.cli import main

if __name__ == "__main__":  # processes of --jobs import this module where they do not start as copies
    sys.exit(main())
