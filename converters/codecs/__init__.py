"""Wire bytes to message and back: one module a protocol, sans-IO, total and bounded."""
