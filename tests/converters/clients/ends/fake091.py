"""A broker of AMQP 0.9.1 that obeys the rules but where a test says otherwise: pika's own frames over a socket."""

import asyncio
from collections.abc import Callable
from itertools import chain
from typing import Any

from pika import frame, spec

_CAPABILITIES = {"publisher_confirms": True, "basic.nack": True, "consumer_cancel_notify": True}
Reply = list[Any]
"""Methods for channel 1, or frames as bytes."""


class Broker:
    """Talks to one client after another. `published` says what follows a message: its acknowledgement by default.

    `frame_max`: bytes of a frame; `opened`: what is sent after Connection.OpenOk, on channel 0; `delivered`: tags of
    Basic.Deliver, each with the bytes behind it.
    """

    def __init__(
        self,
        published: Callable[[int, bytes], Reply] | None = None,
        *,
        frame_max: int = 131072,
        opened: Reply | None = None,
        delivered: list[tuple[int, bytes]] | None = None,
        capabilities: dict[str, bool] = _CAPABILITIES,
    ) -> None:
        self._published = published or (lambda tag, _body: [spec.Basic.Ack(tag)])
        self._frame_max, self._opened, self._delivered = frame_max, opened or [], delivered or []
        self._properties = {"capabilities": capabilities}
        self.confirming = False
        self.connections = 0
        self.bodies: list[bytes] = []

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            await reader.readexactly(8)
            self._send(
                writer, 0, [spec.Connection.Start(mechanisms="PLAIN", locales="en_US", server_properties=self._properties)]
            )
            await self._answer_all(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    @staticmethod
    def _send(writer: asyncio.StreamWriter, channel: int, reply: Reply) -> None:
        for each in reply:
            writer.write(each if isinstance(each, bytes) else frame.Method(channel, each).marshal())

    async def _answer_all(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tag = 0
        body = b""
        size = 0
        while True:
            head = await reader.readexactly(7)
            rest = await reader.readexactly(int.from_bytes(head[3:7]) + 1)
            _, got = frame.decode_frame(head + rest)
            if isinstance(got, frame.Header):
                body, size = b"", got.body_size
            elif isinstance(got, frame.Body):
                body += got.fragment
            elif isinstance(got, frame.Method) and not isinstance(got.method, spec.Basic.Publish):
                for channel, reply in self._replies(got.method):
                    self._send(writer, channel, reply)
                if isinstance(got.method, spec.Connection.Close):
                    return
                continue
            if isinstance(got, (frame.Header, frame.Body)) and len(body) == size:
                tag += 1
                self.bodies.append(body)
                self._send(writer, 1, self._published(tag, body))

    def _replies(self, method: Any) -> list[tuple[int, Reply]]:
        self.confirming = self.confirming or isinstance(method, spec.Confirm.Select)
        answers: dict[type, tuple[int, Reply]] = {
            spec.Connection.StartOk: (0, [spec.Connection.Tune(2047, self._frame_max, 0)]),
            spec.Connection.Open: (0, [spec.Connection.OpenOk(), *self._opened]),
            spec.Connection.Close: (0, [spec.Connection.CloseOk()]),
            spec.Channel.Open: (1, [spec.Channel.OpenOk()]),
            spec.Channel.Close: (1, [spec.Channel.CloseOk()]),
            spec.Confirm.Select: (1, [spec.Confirm.SelectOk()]),
            spec.Queue.Declare: (1, [spec.Queue.DeclareOk("q", 0, 0)]),
            spec.Basic.Qos: (1, [spec.Basic.QosOk()]),
        }
        if isinstance(method, spec.Basic.Cancel):
            return [(1, [spec.Basic.CancelOk(method.consumer_tag)])]
        if isinstance(method, spec.Basic.Consume):
            given = [[spec.Basic.Deliver(method.consumer_tag, tag, False, "", "q"), rest] for tag, rest in self._delivered]
            return [(1, [spec.Basic.ConsumeOk(method.consumer_tag), *chain.from_iterable(given)])]
        return [answers[type(method)]] if type(method) in answers else []
