"""`python -m mqconvert.app`: the command line."""

import sys

from mqconvert.app.cli import main

sys.exit(main())
