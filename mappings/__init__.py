"""The rule tables: TOML, one row a line. README.md explains every column; this module only opens them."""
