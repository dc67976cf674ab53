"""A message as JSON and back: the form of the HTTP service, the command line and Spark rows.

It follows from the message classes and their wire types.
"""

from mqconvert.converters.model.jsonform import JsonObject, refuse_json
from mqconvert.converters.model.sections import refuse_field, section_from_json, section_to_json
from mqconvert.converters.protocols import PROTOCOLS, Message, protocol_of


def message_to_json(message: Message) -> JsonObject:
    """Return the JSON form of a message, ready for `json.dumps(..., allow_nan=False)`.

    Raises EncodeError for an invalid field of a message.

    >>> from mqconvert.converters.protocols.amqp10.message import Data, Header, Message
    >>> message_to_json(Message(header=Header(durable=True), body=Data([b"hi"])))
    {'protocol': 'amqp-1.0', 'header': {'durable': True}, 'body': {'data': ['aGk=']}}
    """
    protocol = protocol_of(message)
    try:
        return {"protocol": protocol.name} | section_to_json(message, protocol.types)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        protocol.codec_module().encode(message)  # raises a more specific error, if the frame has the field
        refuse_field(message, protocol.types)
        raise


def message_from_json(value: object, protocol: str | None = None) -> Message:
    """Return the message of a JSON form; `protocol` is the default for a form without one.

    DecodeError names kind and field path (`header.ttl`, `application_properties[0][1]`) for JSON of any other form.

    >>> message_from_json({"protocol": "mqtt-5.0", "topic_name": "t", "payload": "aGk="}).payload
    b'hi'
    """
    if not isinstance(value, dict):
        refuse_json("bad_json", "expected a message as a JSON object", "")
    name = value.get("protocol", protocol)
    if not isinstance(name, str) or name not in PROTOCOLS:
        refuse_json("unknown_protocol", f"one of {', '.join(PROTOCOLS)}", "protocol")
    if protocol is not None and name != protocol:
        refuse_json("unknown_protocol", f"a message of {name}, not of {protocol}", "protocol")
    known = PROTOCOLS[name]
    members = {key: member for key, member in value.items() if key != "protocol"}
    message: Message = section_from_json(known.message, members, known.types)
    return message
