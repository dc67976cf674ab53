"""What a proxy recorded of a session, frame by frame: each decodes, and encodes back to the bytes that were on the wire."""

from typing import Any

from mqconvert import decode_frames, encode_frame


def read_back(protocol: str, stream: bytes, **options: Any) -> list[Any]:
    """The frames of one side of a session; AssertionError names the first that does not encode to its own bytes."""
    frames = decode_frames(protocol, stream, **options)
    at = 0
    for number, frame in enumerate(frames):
        written = encode_frame(protocol, frame)
        assert stream[at : at + len(written)] == written, f"frame {number} of {len(frames)}, at byte {at}: {frame!r:.300}"
        at += len(written)
    assert at == len(stream), f"{len(stream) - at} bytes of no frame"
    return frames
