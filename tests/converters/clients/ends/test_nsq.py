"""Ends of NSQ with a small server of the protocol: TLS after IDENTIFY, AUTH, and what is no nsqd. Live tests have the rest."""

import asyncio
import json
import ssl
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from mqconvert import encode
from mqconvert.converters.clients.ends import DownError, Tls, Where
from mqconvert.converters.clients.ends import nsq as ends
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.nsq.codec import decode_frames, encode_frame
from tests.app.move.test_files import Window, _until
from tests.converters.clients.ends.servers import Server

WAIT = 30
SECRET = "s3cret"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a certificate for localhost, its own authority, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path.write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain) + made.public_bytes(serialization.Encoding.PEM))
    return path


class Nsqd(Server):
    """Speaks NSQ on `port` of 127.0.0.1, in a thread: gives its messages to a SUB, and confirms each PUB."""

    def __init__(
        self,
        certificate: Path | None = None,
        settings: dict[str, Any] | None = None,
        hello: bytes | None = None,
        refusal: bytes | None = None,
    ) -> None:
        self.commands: list[Any] = []
        self.messages = [
            encode(nsq.Message(timestamp=1, attempts=1, message_id=b"%016d" % number, body=b"%d" % number, frame="message"))
            for number in range(3)
        ]
        self._certificate = certificate
        self._settings = {"max_rdy_count": 2500, "tls_v1": certificate is not None} | (settings or {})
        self._hello, self._refusal = hello, refusal
        super().__init__(self._speak)

    async def _speak(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readexactly(4)
            await self._command(reader)
            answer = json.dumps(self._settings).encode()
            writer.write(encode_frame(nsq.Response(answer)) if self._hello is None else self._hello)
            if self._certificate is not None:
                context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
                context.load_cert_chain(self._certificate)
                await writer.start_tls(context)
                writer.write(encode_frame(nsq.Response(b"OK")))
            while True:
                command = await self._command(reader)
                if isinstance(command, nsq.Auth):
                    writer.write(encode_frame(nsq.Response(b"_heartbeat_")) + encode_frame(nsq.Response(b"{}")))
                elif isinstance(command, nsq.Sub):
                    writer.write(encode_frame(nsq.Response()) + b"".join(self.messages))
                elif isinstance(command, nsq.Message):
                    writer.write(encode_frame(nsq.Response() if self._refusal is None else nsq.Error(self._refusal)))
        except (EOFError, OSError):
            writer.close()

    async def _command(self, reader: asyncio.StreamReader) -> Any:
        line = await reader.readuntil(b"\n")
        if line.startswith((b"IDENTIFY", b"AUTH", b"PUB")):
            size = await reader.readexactly(4)
            line += size + await reader.readexactly(int.from_bytes(size))
        [command] = decode_frames(line)
        self.commands.append(command)
        return command


def where(server: Nsqd, ca: Path | None = None, *, tls: bool = True) -> Where:
    secured = Tls(None if ca is None else str(ca)) if tls else None
    return Where("localhost", server.port, tls=secured, password=SECRET)


def running(end: Any, window: Window) -> threading.Thread:
    thread = threading.Thread(target=end.run, args=(window,))
    thread.start()
    return thread


@pytest.fixture
def window() -> Window:
    return Window()


def test_a_source_reads_over_tls_and_finishes_in_order(certificate: Path, window: Window) -> None:
    with Nsqd(certificate) as server:
        source = ends.ENDS.source(where(server, certificate), {"topic": "t", "channel": "c"})
        thread = running(source, window)
        _until(lambda: len([each for each in server.commands if isinstance(each, nsq.Fin)]) == 3)
        source.close()
        thread.join(WAIT)
    assert [(message.body, message.topic, message.channel) for message in window.messages] == [
        (b"0", "t", "c"),
        (b"1", "t", "c"),
        (b"2", "t", "c"),
    ]
    assert [each.message_id for each in server.commands if isinstance(each, nsq.Fin)] == [b"%016d" % n for n in range(3)]
    assert nsq.Rdy(10) in server.commands


def test_a_target_authenticates_and_counts_each_answer(window: Window) -> None:
    with Nsqd(settings={"auth_required": True}) as server:
        target = ends.ENDS.target(where(server, tls=False), (None,))
        thread = running(target, window)
        assert window.is_up.wait(WAIT)
        for number in range(3):
            target.send(number, nsq.Message(topic="t", body=b"%d" % number), (None,))
        _until(lambda: window.stored == [0, 1, 2])
        target.close()
        thread.join(WAIT)
    assert nsq.Auth(SECRET.encode()) in server.commands
    assert [each.body for each in server.commands if isinstance(each, nsq.Message)] == [b"0", b"1", b"2"]


@pytest.mark.parametrize(
    ("options", "words", "final"),
    [
        ({"hello": b"HTTP/1.1 400 Bad Request\r\n\r\n"}, "a frame of an impossible size", True),
        ({"hello": encode_frame(nsq.Response(b"no json"))}, "its answer to IDENTIFY is no JSON object", True),
        ({"hello": encode_frame(nsq.Response(b"5"))}, "its answer to IDENTIFY is no JSON object", True),
        ({"hello": encode_frame(nsq.Response(b"[" * 100_000))}, "its answer to IDENTIFY is no JSON object", True),
        ({"hello": encode_frame(nsq.Error(b"E_BAD_BODY IDENTIFY"))}, "nsqd: E_BAD_BODY IDENTIFY", True),
        ({"hello": b""}, "nothing came for", False),
        ({"settings": {"tls_v1": False}}, "nsqd has no TLS", True),
    ],
)
def test_other_answers_are_told(
    options: dict[str, Any], words: str, final: bool, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ends._Target, "silence", 0.3)
    with Nsqd(**options) as server:
        target = ends.ENDS.target(where(server), ("t",))
        with pytest.raises(DownError, match=words) as down:
            target.run(window)
    assert down.value.final is final


@pytest.mark.parametrize(
    ("refusal", "codes", "by_peer"),
    [
        (b"E_BAD_MESSAGE PUB message too big", ["refused_by_target"], False),
        (b"E_INVALID DPUB timeout 5000 out of range 0-1000", [], True),  # the window then sends one at a time
        (b"E_PUB_FAILED PUB failed no space left on device", [], False),
    ],
)
def test_a_refusal_is_of_the_message_or_may_be_or_is_not(
    refusal: bytes, codes: list[str], by_peer: bool, window: Window
) -> None:
    with Nsqd(refusal=refusal) as server:
        target = ends.ENDS.target(where(server, tls=False), ("t",))
        target.send(7, nsq.Message(body=b"x"), ("t",))
        with pytest.raises(DownError, match=refusal.decode()) as down:
            target.run(window)
    assert [error.code for error in window.refusals] == codes
    assert (down.value.by_peer, down.value.final) == (by_peer, False)


def test_an_unknown_certificate_is_told(certificate: Path, window: Window) -> None:
    with Nsqd(certificate) as server:
        target = ends.ENDS.target(where(server), ("t",))
        with pytest.raises(DownError, match="the broker's certificate is invalid: self-signed") as down:
            target.run(window)
    assert down.value.final


def test_a_port_without_a_server_is_told(window: Window) -> None:
    with pytest.raises(DownError) as down:
        ends.ENDS.target(Where("localhost", 1), ("t",)).run(window)
    assert not down.value.final
