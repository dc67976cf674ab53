"""Functions as trees: their nodes, the one printer that writes them as Python, and the wall that reads the text back.

Whoever makes a function builds nodes (nodes.py), from constant text of ours where that reads better (templates.py). Only
printer.py writes code, and a value of a table is a Literal, printed with `repr`. Before a function runs, wall.py parses its
text and refuses it unless it is the tree that was built, and that tree names only what the function was given (defining.py).

What may live here: nodes, their text, and reading that text back. No protocol, no row, no word.
"""
