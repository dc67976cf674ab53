"""Columns of wire values: loop.py converts lists of Python objects, arrow.py batches of Arrow, lines.py JSON lines."""
