"""Explains a conversion, and forecasts the conversions of all messages of a protocol."""
