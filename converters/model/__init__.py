"""The parts of messages: values and wire types, fields, places, entries, bodies. Knows no protocol and no table."""
