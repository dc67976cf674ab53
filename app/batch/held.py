"""The outputs of a run: their leases, and checks without Spark for local paths."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import permutations

from mqconvert import JobError
from mqconvert.app.batch import inputs
from mqconvert.app.batch.lease import Lease, leased
from mqconvert.app.batch.options import FORMATS, TABLES, Job
from mqconvert.app.batch.place import REJECTED, Place, refuse_existing, status_folder
from mqconvert.app.batch.storage import GLOB, Local, Storage, is_local, nested_files, no_such_path

Stores = Callable[[str], Storage]
"""Returns the storage of a path."""


@dataclass(frozen=True, slots=True)
class Held:
    """A run and the leases that it holds before Spark starts. `leases` is None if only Spark can reach the output."""

    run: str
    leases: list[Lease] | None = None
    checked: bool = False
    """Whether the files of the input are checked."""


def new_run() -> str:
    """Return the id of a run: the time, and some random digits."""
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:8]}"


@contextmanager
def held(job: Job) -> Iterator[Held]:
    """Take the leases of a local output without Spark, so that a refused run ends before Spark starts.

    Raises JobError `output_busy` if another run writes to the output, `output_exists`, `bad_path` (also of an input).
    """
    run, storage = new_run(), Local()
    for path in () if job.input_format in TABLES else job.input:
        if _local(job, path) and not GLOB.search(path) and not storage.exists(path):
            raise no_such_path(path)
    files = nested_files(job.input) if _local(job, *job.input) and job.input_format in FORMATS else None
    if files is not None:
        inputs.refuse_local(job, files, job.conf.get)
    if job.output is None or not _local(job, job.output, job.rejects):
        yield Held(run, checked=files is not None)
        return
    all_local = _local(job, *job.input, job.checkpoint)
    if all_local:
        refuse_nested(job, lambda _path: storage)
    with leased(storage, outputs(storage, job), run) as leases:
        if all_local or not job.stream:
            refuse(job, run, storage, lambda _path: storage)
        yield Held(run, leases, files is not None)


def _local(job: Job, *paths: str | None) -> bool:
    return all(is_local(path, job.conf) for path in paths if path is not None)


def outputs(storage: Storage, job: Job) -> list[str]:
    return [storage.qualified(path) for path in (job.output, job.rejects) if path is not None]


def place_of(job: Job, run: str, storage: Storage) -> Place:
    """Return the place of a run, a folder beside the output."""
    output, *rejects = outputs(storage, job)
    return Place(storage, run, output, rejects[0] if rejects else None, status_folder(job, REJECTED))


def refuse(job: Job, run: str, storage: Storage, stores: Stores) -> None:
    """Raise JobError if the run may not write to its output; the leases must be held.

    It first cleans up after killed runs, which may have renamed the old output. Raises `output_exists`, `bad_path`.
    """
    if job.stream:
        _refuse_foreign(job, stores)
    elif job.rejects is not None and not storage.same_system(str(job.output), job.rejects):
        raise JobError("--rejects and --output are on different file systems", code="bad_path")
    else:
        place_of(job, run, storage).recover()
        refuse_existing(storage, str(job.output), job.rejects, overwrite=job.overwrite)


def refuse_nested(job: Job, stores: Stores) -> None:
    """Reject a path inside another: the next run would read it as input, or replace it with the other.

    Raises JobError `bad_path`.
    """
    options = [*(("--input", path) for path in job.input), ("--output", job.output), ("--rejects", job.rejects)]
    options.append(("--checkpoint", job.checkpoint))
    given = [(option, path, stores(path).qualified(path)) for option, path in options if path is not None]
    for (inner, path, at), (outer, folder, above) in permutations(given, 2):
        if (inner, outer) in {("--checkpoint", "--output"), ("--input", "--input")}:
            continue
        if f"{at}/".startswith(f"{above.rstrip('/')}/"):
            raise JobError(f"{inner} {path} is inside {outer} {folder}", code="bad_path")


def _refuse_foreign(job: Job, stores: Stores) -> None:
    """Raise JobError if output and checkpoint belong to different streams, or the input is a file.

    The logs of sink and checkpoint count batches alike. With another checkpoint, Spark would skip new batches as already
    written.
    """
    source, output, checkpoint = job.input[0], str(job.output), str(job.checkpoint)
    if stores(source).is_file(source):
        raise JobError(f"--input {source} is a file: a stream needs a folder", code="bad_path")
    logged = shown(stores(output), f"{output}/_spark_metadata")
    if not shown(stores(checkpoint), f"{checkpoint}/offsets"):
        if logged or shown(stores(output), output):
            words = f"--output {output} exists, and --checkpoint {checkpoint} belongs to another stream"
            raise JobError(words, code="output_exists")
    elif shown(stores(checkpoint), f"{checkpoint}/commits") and not logged:
        words = f"--checkpoint {checkpoint} has batches that are not in --output {output}"
        raise JobError(words, code="bad_path")


def shown(storage: Storage, folder: str) -> list[str]:
    """Return the names in a folder that are not hidden from Spark."""
    return [name for name in storage.names(folder) if not name.startswith((".", "_"))]
