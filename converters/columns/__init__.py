"""Columns of wire values: loop.py converts lists of Python objects, arrow.py batches of Arrow, lines.py JSON lines."""

from typing import Literal

Encoding = Literal["binary", "base64", "hex"]
"""The encodings of wire values in a column or file."""
