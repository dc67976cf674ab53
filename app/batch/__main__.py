"""The script for `spark-submit --py-files mqconvert.zip __main__.py --from ...`, with the options of `mqconvert batch`."""

import argparse
import sys

from mqconvert.app.batch.command import command
from mqconvert.app.batch.options import add_arguments

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="mqconvert batch")
    add_arguments(parser)
    sys.exit(command(parser.parse_args()))
