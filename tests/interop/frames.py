"""The recorded frames of a session: each decodes, and encodes to the bytes on the wire."""

from collections.abc import Callable
from typing import Any

from mqconvert import DecodeError, decode_each_frame, decode_frames, encode_frame
from tests.interop.figures import READ
from tests.interop.proxy import Change


def read_back(protocol: str, stream: bytes, **options: Any) -> list[Any]:
    """Return the frames of one side of a session; AssertionError names the first that does not encode to its own bytes."""
    frames = decode_frames(protocol, stream, **options)
    at = 0
    for number, frame in enumerate(frames):
        written = encode_frame(protocol, frame)
        assert stream[at : at + len(written)] == written, f"frame {number} of {len(frames)}, at byte {at}: {frame!r:.300}"
        at += len(written)
    assert at == len(stream), f"{len(stream) - at} bytes of no frame"
    READ[protocol] += len(frames)
    return frames


def rewritten(protocol: str, rewrite: Callable[[Any], bytes | None]) -> Change:
    """Return a change for a proxy: `rewrite` gives the bytes in place of a frame, or None to pass it on unchanged."""

    def change(came: bytes) -> tuple[bytes, int]:
        made, used = [], 0
        try:
            for frame in decode_each_frame(protocol, came):
                original = encode_frame(protocol, frame)
                replaced = rewrite(frame)
                made.append(original if replaced is None else replaced)
                used += len(original)
        except DecodeError as error:
            if error.code != "truncated":
                raise
        return b"".join(made), used

    return change
