"""mqtt-3.1.1 -> mqtt-5.0, from mqtt311_to_mqtt5.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.plain import topic_fault as fault_topic
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.mqtt311.message import Message as Source
from mqconvert.converters.protocols.mqtt5.message import Message


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    row_address: Any = rows['address']
    row_dup: Any = rows['dup']
    row_dup_unset: Any = replace(rows['dup'], unset=True)
    row_qos: Any = rows['qos']
    row_retain: Any = rows['retain']
    row_retain_unset: Any = replace(rows['retain'], unset=True)
    row_topic: Any = rows['topic']
    row_packet_identifier: Any = rows['packet-identifier']
    row_payload: Any = rows['payload']

    def mqtt_3_1_1_to_mqtt_5_0(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None
        taken: list[Any] = notes.taken
        to_topic_name: Any = None
        to_dup: Any = 0
        to_qos: Any = 0
        to_retain: Any = 0
        to_packet_identifier: Any = None
        to_payload: Any = b''
        address: Any = environment.address
        if address is not None:
            # address, mqtt311_to_mqtt5.toml
            if (fault := fault_topic(address)) is not None:
                notes.lost.append(('@address', 'string', fault, row_address))
            elif to_topic_name is not None:
                too_late(notes, row_address, '@address', 'string', 'topic_name', None, None)
            else:
                to_topic_name = address
                taken.append(row_address)
        dup: Any = source.dup
        if dup != 0:
            # dup, mqtt311_to_mqtt5.toml
            to_dup = dup
            taken.append(row_dup if to_dup != 0 else row_dup_unset)
        qos: Any = source.qos
        if qos is not None:
            # qos, mqtt311_to_mqtt5.toml
            to_qos = qos
            taken.append(row_qos)
        retain: Any = source.retain
        if retain != 0:
            # retain, mqtt311_to_mqtt5.toml
            to_retain = retain
            taken.append(row_retain if to_retain != 0 else row_retain_unset)
        topic_name: Any = source.topic_name
        if topic_name != '':
            # topic, mqtt311_to_mqtt5.toml
            if to_topic_name is not None:
                too_late(notes, row_topic, 'topic_name', 'topic', 'topic_name', None, None)
            else:
                to_topic_name = topic_name
                taken.append(row_topic)
        packet_identifier: Any = source.packet_identifier
        if packet_identifier is not None:
            # packet-identifier, mqtt311_to_mqtt5.toml
            to_packet_identifier = packet_identifier
            taken.append(row_packet_identifier)
        payload: Any = source.payload
        # payload, mqtt311_to_mqtt5.toml
        to_payload = payload
        taken.append(row_payload)
        return Message(
            to_dup,
            to_qos,
            to_retain,
            '' if to_topic_name is None else to_topic_name,
            to_packet_identifier,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            to_payload,
        )

    return mqtt_3_1_1_to_mqtt_5_0
