"""Every `code` that an error of the library can have, and what it says. Codes are stable from the first release on.

`docs/errors.md` is written from here; a test compares this list with what the code raises.
"""

CODES = {
    # Names, tables, routes
    "bad_option": "an option has a value that it cannot have; the message names those it can",
    "bad_table": "a rule table has a mistake; the message begins with its file and line",
    "no_route": "no tables lead from the one protocol to the other",
    "unknown_profile": "no profile of that name; the message names those that there are",
    "unknown_protocol": "no protocol of that name, a message of another protocol than was said, or none was said",
    # Reading wire bytes
    "bad_count": "a count of elements or fields that cannot be: more than there is room for, or than the type has",
    "bad_flags": "flag bits that the specification reserves, or that contradict one another",
    "bad_frame": "a frame of the wrong kind, class, method or channel, or without its end octet",
    "bad_length": "a length that contradicts what it is the length of",
    "bad_packet": "an MQTT packet that is no PUBLISH",
    "bad_symbol": "an AMQP 1.0 symbol that is not ASCII",
    "bad_topic": "no MQTT topic name: empty, with a wildcard, or none was given (`--address` gives one)",
    "bad_utf8": "text that is not UTF-8, or holds characters that its specification forbids",
    "bad_varint": "a variable byte integer that is too long",
    "repeated_property": "a property twice that may be there once",
    "section_order": "sections of an AMQP 1.0 message out of order or twice",
    "several_messages": "more than one message where one is asked for",
    "trailing_bytes": "octets behind the end of the message",
    "truncated": "the input ends within a message",
    "unknown_property": "a property that the protocol does not know",
    "unknown_section": "a descriptor that is of no section of an AMQP 1.0 message",
    # Reading JSON, and writing messages
    "bad_json": "not JSON, or JSON that is not of the form asked for",
    "bad_message": "an object that is no message class, or holds what no message of its class can hold",
    "bad_value": "a value that its wire type cannot hold",
    "nesting": "values nest too deep (more than 100)",
    "too_large": "more than a length field can say, or than the deployment allows",
    "unknown_field": "a member that the form does not have",
    "unknown_type": "no wire type of that name or code",
    "wrong_type": "a value of a type that its field does not take",
    # Converting
    "loss": "something was lost and `on_loss` is `fail`; `losses` has all of them",
}
