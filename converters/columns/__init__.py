"""Columns of wire values: loop.py converts them, arrow.py batches of Arrow, lines.py JSON lines; column.py: public."""

from typing import Literal

Encoding = Literal["binary", "base64", "hex"]
"""The encodings of wire values in a column or file."""
