"""Words that are one expression, which the compiler writes in place of a call."""

from mqconvert.converters.words import CONDITIONS, TEXTS, TRANSFORMS

CONDITIONS.expression("ascii", "{0}.isascii()", "Bytes 0 to 127 only.")
CONDITIONS.expression("finite", "isfinite({0})", "Neither NaN nor an infinity.")
CONDITIONS.expression("set", "bool({0})", "Set, and neither 0, nor false, nor empty.")
CONDITIONS.expression("absent", "{0} is None", "Unset: for other places than the row's own, as in `content_type: absent`.")
CONDITIONS.expression("text", "type({0}) is str", "Text: for keys, which may be numbers in annotations.")
CONDITIONS.expression("one-section", "type({0}) is Data and len({0}.sections) == 1", "A body of a single data section.")
CONDITIONS.expression("legal-topic", "topic_fault({0}) is None", "A topic name without wildcards.")

TRANSFORMS.expression("to-decimal", "str({0})", "Return a number as decimal text.", gives="str", fits=TEXTS, of="int")
TRANSFORMS.expression("from-decimal", "int({0})", "Return the number of decimal text, such as `+5`.", gives="int", of="str")
TRANSFORMS.expression("first-section", "{0}.sections[0]", "Return the first data section of a body.", gives="bytes")
TRANSFORMS.expression("one-data", "Data([{0}])", "Return bytes as a body of one data section.", gives="body", of="bytes")
TRANSFORMS.expression("float-text", "format({0}, '.20e')", "Return a float in RabbitMQ's form, C's `%.20e`.", gives="str")
TRANSFORMS.expression("octets-of-id", "{0} if type({0}) is bytes else {0}.encode()", "Return an id as bytes.", gives="bytes")
