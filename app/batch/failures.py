"""What went wrong on Spark, on one line."""

import re

from py4j.protocol import Py4JJavaError

_RAISED = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)*(?:mqconvert\.[\w.]+: )?(\S.*)")
"""What a traceback ends with; an error of ours without its class."""


def cause(error: BaseException) -> str:
    """Return what went wrong on one line: of an error of the Java machine the first cause, of a worker's what it raised."""
    if isinstance(error, Py4JJavaError):
        thrown = error.java_exception
        while thrown.getCause() is not None:
            thrown = thrown.getCause()
        error = RuntimeError(thrown.toString())
    text = str(error).strip()
    raised = _RAISED.findall(text)
    if raised:
        return str(raised[-1])
    return text.splitlines()[0] if text else type(error).__name__


_HEAP = {3, 52}
"""Exit statuses of a Java machine without memory: -XX:+ExitOnOutOfMemoryError, and Spark's own."""

_WORKER = re.compile(r"Python worker exited unexpectedly|MemoryError|Cannot allocate memory")


def failed(error: BaseException, ended: int | None, memory: str) -> str:
    """Return what ended the work, with the limit and the option where memory was short.

    `ended` is the exit status of the Java machine, where it has ended; `memory` is what it was given.

    >>> failed(OSError("Connection refused"), 3, "1024m").split(":")[0]
    'the job failed'
    >>> failed(OSError("Connection refused"), -9, "1024m").endswith("fewer tasks at once (--master local[1])")
    True
    """
    fewer = "fewer tasks at once (--master local[1])"
    if ended is None and "java.lang.OutOfMemoryError" in str(error):
        return f"the job failed: an executor needs more memory: give more (--executor-memory, here --memory), or {fewer}"
    if ended in _HEAP:
        return f"the job failed: the Java machine needs more than its {memory} of memory: give more (--memory), or {fewer}"
    if ended is not None:
        how = f"was killed by signal {-ended}" if ended < 0 else f"ended with status {ended}"
        hint = f"; if the system had no memory left, give the Java machine less (--memory, now {memory}), or {fewer}"
        return f"the job failed: the Java machine {how}{hint}"
    words = cause(error)
    if _WORKER.search(str(error)):
        return f"the job failed: {words}: a Python worker had no memory left, or was killed: {fewer}, or a larger machine"
    return f"the job failed: {words}"
