"""Words of the hub, which any table may name: its bodies and sections, its annotations, and texts of its values."""

from mqconvert.converters.protocols.amqp10.words import bodies, listings, properties, sections, stated

__all__ = ["bodies", "listings", "properties", "sections", "stated"]
