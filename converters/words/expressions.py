"""Words that are one expression, which the compiler writes in place of a call."""

from mqconvert.converters.words import CONDITIONS, TEXTS, TRANSFORMS

CONDITIONS.expression("ascii", "{0}.isascii()", "Match bytes 0 to 127 only.")
CONDITIONS.expression("finite", "isfinite({0})", "Match a number other than NaN and the infinities.")
CONDITIONS.expression("set", "bool({0})", "Match a set value other than 0, false and empty ones.")
CONDITIONS.expression("set-beside", "{1} is not None and {1} is not False", "Match if the place read is set, and not to false.")
CONDITIONS.expression("ascii-key", "type({1}) is str and {1}.isascii()", "Match an entry whose `@key` is ASCII text.")
CONDITIONS.expression("one-section", "type({0}) is Data and len({0}.sections) == 1", "Match a body of one data section.")
CONDITIONS.expression("legal-topic", "topic_fault({0}) is None", "Match a topic name without wildcards.")

TRANSFORMS.expression("to-decimal", "str({0})", "Return a number as decimal text.", gives="str", fits=TEXTS, of="int")
_NUMBER = "Return the number of decimal text, such as `+5`."
TRANSFORMS.expression("from-decimal", "int({0})", _NUMBER, gives="int", of="str", where="number")
TRANSFORMS.expression("float-text", "format({0}, '.20e')", "Return a float in RabbitMQ's form, C's `%.20e`.", gives="str")
