"""Words of the hub for all tables: its bodies and sections, its annotations, and the text forms of its values."""

from mqconvert.converters.protocols.amqp10.words import annotations, described, properties, sections

__all__ = ["annotations", "described", "properties", "sections"]
